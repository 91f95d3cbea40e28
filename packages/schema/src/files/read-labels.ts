import { readCsv } from "./csv.ts";
import { readJsonl } from "./read-jsonl.ts";

/** Words for a label that tables are filled with. JSON has its own. */
const WORDS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ...["1", "pass", "true", "yes"].map((word) => [word, 1] as const),
  ...["0", "fail", "false", "no"].map((word) => [word, 0] as const),
]);

/** Columns that hold a label or a mark. */
const VALUES = ["label", "reward", "gold_reward", "rating", "score"];

/**
 * Label records of a file, for `attachLabels` and `attachRatings`: CSV by its name (`.csv`, `.tsv`), else JSONL or a JSON
 * array, `-` for standard input. In CSV a label may also be pass or fail, true or false, yes or no, in any case; a number
 * is one.
 *
 * @throws SchemaError `not_found`, `bad_file`, `bad_line`
 */
export async function readLabels(path: string): Promise<Record<string, unknown>[]> {
  if (!/\.(csv|tsv)(\.gz)?$/i.test(path)) return (await readJsonl(path)).rows;
  const { rows } = await readCsv(path);
  return rows.map((record) => {
    const worded = { ...record };
    for (const column of VALUES) {
      const cell = record[column];
      if (typeof cell === "string") worded[column] = cellValue(cell);
    }
    return worded;
  });
}

function cellValue(cell: string): unknown {
  const text = cell.trim();
  const number = text === "" ? Number.NaN : Number(text);
  return WORDS.get(text.toLowerCase()) ?? (Number.isFinite(number) ? number : cell);
}
