import { type Interval, wilsonInterval } from "@while/stats";
import type { DropRule, ListRule, RowFinding } from "./finding.ts";

/** What one rule says of texts that hold nothing of the evaluation. */
export interface FalseAlarmRate {
  rule: DropRule | ListRule;
  /** Texts that the rule was asked of, and those that it caught. */
  n: number;
  nHits: number;
  rate: number;
  /** Wilson's interval on the rate. */
  ci95: Interval;
}

/** Known negatives at the thresholds of this run. */
export interface FalseAlarms {
  /**
   * Each evaluation prompt held against those of other tasks, at most 2,000 of them evenly spaced (500 for `semantic`).
   * Where a rule catches many, the evaluation repeats itself, and a hit on it says little. null with fewer than two prompts.
   */
  evaluation: FalseAlarmRate[] | null;
  /** Rows of which the caller knows that they are clean; null where none was given. */
  knownClean: FalseAlarmRate[] | null;
}

/** Prompts that are held against the others at most. */
const PROMPTS = 2000;

export function falseAlarmRate(rule: FalseAlarmRate["rule"], nHits: number, n: number): FalseAlarmRate {
  return { rule, n, nHits, rate: nHits / n, ci95: wilsonInterval(nHits, n)! };
}

/** Of what was found in rows that are known to be clean, each under the first rule that caught it. */
export function ratesOfFindings(
  findings: readonly RowFinding[],
  rules: readonly FalseAlarmRate["rule"][],
): FalseAlarmRate[] | null {
  const n = findings.length;
  if (n === 0) return null;
  const counts = new Map<string, number>();
  for (const { hit, listed } of findings) {
    const rule = hit?.rule ?? listed[0]?.rule;
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return rules.map((rule) => falseAlarmRate(rule, counts.get(rule) ?? 0, n));
}

/** Some of n, evenly spaced and at most so many. */
export function evenlySpaced(n: number, most: number = PROMPTS): number[] {
  const step = Math.max(1, n / most);
  return Array.from({ length: Math.min(n, most) }, (_, i) => Math.floor(i * step));
}
