import type { RowsSummary } from "@while/platform-client/contract";
import { type RowFilters, rangeEnds, rangeWords } from "./row-filters.ts";

/** One filter beside the grade, and what it alone would leave. */
export interface Clause {
  /** Its keys in the address. */
  names: string[];
  words: string;
  drop: string;
  /** Rows of the chosen grade that this alone would leave; null where that is not counted. */
  alone: number | null;
}

/** The filters one by one, beside the grade. */
export function clausesOf({ graded, tags, ranges, score, find, cut }: RowFilters, all: RowsSummary): Clause[] {
  const clauses = Array.from(tags, ([key, values]): Clause => {
    const counts = Object.hasOwn(all.byTag, key) ? all.byTag[key]! : {};
    const alone = values.reduce((sum, value) => {
      const { n, passed } = Object.hasOwn(counts, value) ? counts[value]! : { n: 0, passed: 0 };
      return sum + (graded === "all" ? n : graded === "passed" ? passed : n - passed);
    }, 0);
    return { names: [`tag.${key}`], words: `${key}: ${values.join(" or ")}`, drop: key, alone };
  });
  // Both ends are one wish: they are given back together.
  for (const [key, range] of ranges)
    clauses.push({ names: [...rangeEnds(key)], words: `${key} ${rangeWords(range)}`, drop: key, alone: null });
  if (score !== null) {
    clauses.push({
      names: [...rangeEnds(null)],
      words: `a score ${rangeWords(score)}`,
      drop: "the score",
      alone: null,
    });
  }
  if (find !== "") clauses.push({ names: ["q"], words: `the words “${find}”`, drop: "the words", alone: null });
  if (cut) clauses.push({ names: ["cut"], words: "a text that was cut", drop: "cut rows only", alone: null });
  return clauses;
}
