import type { RowsSummary } from "@while/platform-client/contract";
import { type Confusion, cohenKappa, wilsonInterval } from "@while/stats";
import { goldLabel } from "./gold-label.ts";

/** Tags that carry what people, or a program, say of a row. */
const GOLD_TAGS = ["gold", "gold_reward"] as const;
/** How the grade and the gold label of the same rows go together. */
export interface GoldTable {
  tag: string;
  /** Words of the tag that mean a pass, and those that mean a failure: as they stand on the rows. */
  words: { passed: string[]; failed: string[] };
  table: Confusion;
  labeled: number;
  agreement: number;
  /** Wilson's interval of the agreement. */
  ci95: readonly [number, number];
  /** Cohen's kappa; null where both say one thing throughout. */
  kappa: number | null;
}

/** The grades against the gold labels that the rows carry as a tag; null where they carry none. */
export function goldTable(byTag: RowsSummary["byTag"]): GoldTable | null {
  for (const tag of GOLD_TAGS) {
    const found = Object.hasOwn(byTag, tag) ? tableOf(tag, byTag[tag]!) : null;
    if (found !== null) return found;
  }
  return null;
}

/** The tags that say what kind of row it is: a gold label is a second grade, and no kind. */
export function kindTags(byTag: RowsSummary["byTag"]): RowsSummary["byTag"] {
  const gold = goldTable(byTag)?.tag;
  return Object.fromEntries(Object.entries(byTag).filter(([key]) => key !== gold));
}

function tableOf(tag: string, counts: RowsSummary["byTag"][string]): GoldTable | null {
  const words: GoldTable["words"] = { passed: [], failed: [] };
  const table: Confusion = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const [word, { n, passed }] of Object.entries(counts)) {
    const label = goldLabel(word);
    if (label === null) continue;
    words[label ? "passed" : "failed"].push(word);
    table[label ? "tp" : "fp"] += passed;
    table[label ? "fn" : "tn"] += n - passed;
  }
  const labeled = table.tp + table.fp + table.fn + table.tn;
  if (labeled === 0) return null;
  const alike = table.tp + table.tn;
  return {
    ...{ tag, words, table, labeled },
    agreement: alike / labeled,
    ci95: wilsonInterval(alike, labeled)!,
    kappa: cohenKappa(table),
  };
}
