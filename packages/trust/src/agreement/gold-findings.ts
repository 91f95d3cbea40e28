import { counted } from "../counted.ts";
import { goldWords, type ReportedKind } from "./gold.ts";
import { MIN_GOLD } from "./thresholds.ts";

export interface GoldFinding {
  code: "untrusted_gold" | "untrusted_left_out" | "tuned_left_out";
  severity: "warn" | "note";
  message: string;
}

/** Whose gold a report rests on, and which rows with gold it left out. */
export function goldFindings(
  { trusted, goldKind, nUntrusted, nTuned }: ReportedKind & { nUntrusted: number; nTuned: number },
  /** What people do, and what they leave. */
  [give, given]: readonly [give: "label" | "rate", given: "labels" | "marks"],
): GoldFinding[] {
  const found: GoldFinding[] = [];
  if (!trusted) {
    const message = `${goldWords(goldKind)} measure no judge: have people ${give} ${MIN_GOLD} rows, and say kind human`;
    found.push({ code: "untrusted_gold", severity: "warn", message });
  }
  if (nUntrusted > 0) {
    const message = `${counted(nUntrusted, "row")} left out, whose ${given} are not by people or programs alone`;
    found.push({ code: "untrusted_left_out", severity: "note", message });
  }
  if (nTuned > 0) {
    const message = `${counted(nTuned, "row")} left out that the judge was tuned on`;
    found.push({ code: "tuned_left_out", severity: "note", message });
  }
  return found;
}
