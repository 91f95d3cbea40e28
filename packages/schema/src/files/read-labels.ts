import { readCsv } from "./csv.ts";
import { readJsonl } from "./read-jsonl.ts";

/** Words for a label that tables are filled with. JSON has its own. */
const WORDS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ...["1", "pass", "true", "yes"].map((word) => [word, 1] as const),
  ...["0", "fail", "false", "no"].map((word) => [word, 0] as const),
]);

/**
 * Label records of a file, for `attachLabels`: CSV by its name (`.csv`, `.tsv`), else JSONL or a JSON array, `-` for
 * standard input. In CSV a label may also be pass or fail, true or false, yes or no, in any case.
 *
 * @throws SchemaError `not_found`, `bad_file`, `bad_line`
 */
export async function readLabels(path: string): Promise<Record<string, unknown>[]> {
  if (!/\.(csv|tsv)(\.gz)?$/i.test(path)) return (await readJsonl(path)).rows;
  const { rows } = await readCsv(path);
  return rows.map((record) => {
    const worded = { ...record };
    for (const column of ["label", "reward", "gold_reward"]) {
      const cell = record[column];
      const value = typeof cell === "string" ? WORDS.get(cell.trim().toLowerCase()) : undefined;
      if (value !== undefined) worded[column] = value;
    }
    return worded;
  });
}
