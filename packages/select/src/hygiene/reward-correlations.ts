import { checkOptions, compareCodePoints, isObject, type Row, roundHalfEven } from "@while/schema";
import { HACK_THRESHOLD, markerValue, passLabel, pearson } from "@while/stats";
import { numberIn } from "../options.ts";
import { assistantTurns, replyLength, toolCallCount } from "../rows/features.ts";
import { SelectError } from "../select-error.ts";

/** Stamped style markers, 1.0 when the phrases are absent, and the feature that is their opposite. */
const STYLE_FEATURES: readonly [marker: string, feature: string][] = [
  ["no_boilerplate", "boilerplate"],
  ["no_hedging", "hedging"],
  ["no_sycophancy", "sycophancy"],
  ["answered", "refusal"],
];

export interface CorrelationOptions {
  /** Size of a correlation from which it is flagged. */
  threshold?: number;
}

export interface RewardCorrelations {
  /** Rows with a label; the others say nothing here. */
  nGraded: number;
  threshold: number;
  /**
   * Pearson r of the label with each feature, to 3 decimals; null with fewer than three rows that carry both, or
   * when one of them never changes.
   */
  correlations: Map<string, number | null>;
  /** Those of the threshold's size or more. */
  flagged: Map<string, number>;
  /** Style features whose marker no graded row carries, and `trace_flags` likewise: unstamped, so unknown. */
  notRead: string[];
}

/**
 * What does the reward move with, over all graded rows pooled? Reply length, tool calls, turns; the style features
 * and trajectory flags (`trace:…`) that were stamped on the rows. Pooled over tasks, so hard tasks with long replies
 * look like a penalty on length; read it as a reason to look at the judge.
 *
 * @throws SelectError `bad_option`
 */
export function rewardCorrelations(rows: readonly Row[], options: CorrelationOptions = {}): RewardCorrelations {
  checkOptions(options, ["threshold"], (what, fix) => new SelectError("bad_option", what, fix));
  const threshold = numberIn("threshold", options.threshold ?? HACK_THRESHOLD, 0, 1);
  const graded: { row: Row; label: number }[] = [];
  for (const row of rows) {
    const label = isObject(row) ? passLabel(row) : null;
    if (label !== null) graded.push({ row, label });
  }

  const correlations = new Map<string, number | null>();
  const flagged = new Map<string, number>();
  const add = (feature: string, value: (row: Row) => number | null): void => {
    const x: number[] = [];
    const y: number[] = [];
    for (const { row, label } of graded) {
      const read = value(row);
      if (read === null) continue;
      x.push(read);
      y.push(label);
    }
    const r = pearson(x, y);
    const rounded = r === null ? null : roundHalfEven(r, 3);
    correlations.set(feature, rounded);
    if (r !== null && rounded !== null && Math.abs(r) >= threshold) flagged.set(feature, rounded);
  };

  add("reply_length", replyLength);
  add("tool_calls", toolCallCount);
  add("assistant_turns", assistantTurns);
  const notRead: string[] = [];
  for (const [marker, feature] of STYLE_FEATURES) {
    const absent = (row: Row) => {
      const value = markerValue(row, marker);
      return value === null ? null : 1 - value;
    };
    if (graded.some(({ row }) => absent(row) !== null)) add(feature, absent);
    else notRead.push(feature);
  }
  const flags = new Set(graded.flatMap(({ row }) => firedFlags(row) ?? []));
  for (const flag of [...flags].sort(compareCodePoints)) {
    add(`trace:${flag}`, (row) => {
      const fired = firedFlags(row);
      return fired === null ? null : Number(fired.includes(flag));
    });
  }
  if (graded.every(({ row }) => firedFlags(row) === null)) notRead.push("trace_flags");
  return { nGraded: graded.length, threshold, correlations, flagged, notRead };
}

/** Flags stamped on a row with evidence; null when the row was never read for flags. */
function firedFlags(row: Row): string[] | null {
  if (!isObject(row.trace_flags)) return null;
  const flags: string[] = [];
  for (const [flag, evidence] of Object.entries(row.trace_flags)) {
    if (Array.isArray(evidence) ? evidence.length > 0 : evidence) flags.push(flag);
  }
  return flags;
}
