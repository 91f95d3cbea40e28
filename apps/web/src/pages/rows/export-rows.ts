import type { Example, RowsPage } from "@while/platform-client/contract";
import { csvOf } from "../../parts/csv.ts";

/** Reads one page of rows; the first has no cursor. */
export type ReadPage = (cursor: string | null) => Promise<Pick<RowsPage, "rows" | "total" | "nextCursor">>;

/** All rows, page by page as they come, so that 20,000 of them are never one answer. */
export async function* allPages(read: ReadPage): AsyncGenerator<{ rows: Example[]; total: number }> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ReadPage>> = await read(cursor);
    yield page;
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
}

/** One row a line, as it is stored. */
export function rowsAsJsonl(rows: readonly Example[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Rows as CSV with a column for each tag; `first` has the heads. */
export function rowsAsCsv(rows: readonly Example[], tags: readonly string[], { first }: { first: boolean }): string {
  const heads = ["ok", "score", "prompt", "reply", "reference", "why", "detail", ...tags.map((tag) => `tag.${tag}`)];
  const table = csvOf(
    heads,
    rows.map((row) => [
      ...[String(row.ok), row.score ?? null, row.prompt ?? null, row.reply ?? null],
      ...[row.reference ?? null, row.why ?? null, row.detail ?? null],
      ...tags.map((tag) => (row.tags && Object.hasOwn(row.tags, tag) ? row.tags[tag]! : null)),
    ]),
  );
  return first ? table : table.slice(csvOf(heads, []).length);
}
