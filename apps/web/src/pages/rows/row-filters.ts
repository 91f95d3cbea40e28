import type { RowsQuery } from "@while/platform-client/contract";
import { type Search, textOf, textsOf } from "../../search.ts";

export const GRADED = ["all", "passed", "failed"] as const;
export type Graded = (typeof GRADED)[number];

/** Which rows are looked at, as it stands in the address. */
export interface RowFilters {
  graded: Graded;
  /** Values asked for, by tag: any of the values of one tag, and every tag. */
  tags: ReadonlyMap<string, readonly string[]>;
  /** Words in any text of a row. */
  find: string;
  /** Only rows of which a text was cut. */
  cut: boolean;
  /** The lowest score first, instead of the order they were posted in. */
  byScore: boolean;
}

const TAG = "tag.";

export function readFilters(search: Search): RowFilters {
  const tags = new Map<string, string[]>();
  for (const name of Object.keys(search)) {
    const values = textsOf(search, name).filter((value) => value !== "");
    if (name.startsWith(TAG) && values.length > 0) tags.set(name.slice(TAG.length), values);
  }
  return {
    graded: gradedOf(textOf(search, "ok")),
    tags,
    find: textOf(search, "q") ?? "",
    cut: textOf(search, "cut") === "1",
    byScore: textOf(search, "sort") === "score",
  };
}

/** The grade as the platform is asked for it, so that the address of a page and that of its rows read the same. */
export function okOf(graded: Graded): string | undefined {
  return graded === "all" ? undefined : graded === "passed" ? "1" : "0";
}

function gradedOf(ok: string | undefined): Graded {
  return GRADED.find((graded) => graded !== "all" && okOf(graded) === ok) ?? "all";
}

/** Is anything left out? */
export function isFiltered({ graded, tags, find, cut }: RowFilters): boolean {
  return graded !== "all" || tags.size > 0 || find !== "" || cut;
}

/** The query of the platform that these filters mean; `without` leaves one tag open, for the counts of its own values. */
export function queryOf(filters: RowFilters, { without }: { without?: string } = {}): RowsQuery {
  const query: RowsQuery = {};
  if (filters.graded !== "all") query.ok = filters.graded === "passed";
  if (filters.find !== "") query.q = filters.find;
  if (filters.cut) query.cut = true;
  for (const [key, values] of filters.tags) if (key !== without) query[`${TAG}${key}`] = [...values];
  return query;
}

/** The address with one value of a tag chosen, or given back where it was chosen. */
export function withTag(search: Search, key: string, value: string): Search {
  const name = `${TAG}${key}`;
  const before = textsOf(search, name);
  const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
  return { ...search, ...OTHER_ROWS, [name]: after.length === 0 ? undefined : after };
}

/** Another set of rows begins on its first page, with none of them open. */
export const OTHER_ROWS: Search = { page: undefined, row: undefined };

/** Changes that take all filters back. */
export function withoutFilters(search: Search): Search {
  const tags = Object.keys(search).filter((name) => name.startsWith(TAG));
  return {
    ...OTHER_ROWS,
    ...{ ok: undefined, q: undefined, cut: undefined },
    ...Object.fromEntries(tags.map((name) => [name, undefined])),
  };
}

/** The filters in words: `failed rows with reason damaged or late_return`. */
export function filterWords({ graded, tags, find, cut }: RowFilters): string {
  const kept = graded === "all" ? "rows" : `${graded} rows`;
  const clauses = Array.from(tags, ([key, values]) => `${key} ${values.join(" or ")}`);
  if (find !== "") clauses.push(`the words ${JSON.stringify(find)}`);
  if (cut) clauses.push("a text that was cut");
  return clauses.length === 0 ? kept : `${kept} with ${clauses.join(", and ")}`;
}
