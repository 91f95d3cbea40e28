import { goldKindOf, latestRatings, type Row, rowKey } from "@while/schema";
import { gradedReward } from "@while/stats";
import { judgeSplitOf } from "../labels/judge-split.ts";
import { TrustError } from "../trust-error.ts";
import type { ReportedKind } from "./gold.ts";

/** The field that `attachRatings` writes. */
export const RATING_FIELD = "gold_score";

/** From the lowest to the highest mark. */
export type MarkScale = readonly [low: number, high: number];

/** A row with gold on a scale; both as marks of that scale. */
export interface RatedRow {
  row: Row;
  gold: number;
  /** Null where the row has no reward. */
  judge: number | null;
}

export interface RatedRows extends ReportedKind {
  scale: MarkScale;
  rated: RatedRow[];
  /** Rows left out: gold by others than those who count, and rows the judge was tuned on. */
  nUntrusted: number;
  nTuned: number;
}

/**
 * The rows that carry gold on a scale. A reward is a share of the scale, as a judge with `scale` writes it.
 *
 * @throws TrustError `bad_option` for gold outside the scale, with the row
 */
export function ratedRows(
  rows: readonly Row[],
  { gold, scale, allowModelGold }: { gold: string; scale: MarkScale | undefined; allowModelGold: boolean },
): RatedRows {
  const withGold = rows.filter((row) => numberOf(row[gold]) !== null);
  const shares = gold === RATING_FIELD;
  const marks = scale ?? (shares ? sharedScale(withGold) : SHARES);
  const [low, high] = marks;
  // Gold that `attachRatings` wrote is a share already; a column of one's own holds marks.
  const [goldLow, goldHigh] = shares ? SHARES : marks;
  for (const row of withGold) {
    const value = numberOf(row[gold])!;
    if (value >= goldLow && value <= goldHigh) continue;
    throw new TrustError(
      "bad_option",
      `${gold} of ${rowKey(row)} is ${value}, outside ${goldLow} to ${goldHigh}.`,
      "Say what marks there are: scale: [1, 5], or --marks 1,5.",
    );
  }
  const markOf = (share: number) => snapped(low + share * (high - low));
  const heldOut = withGold.filter((row) => judgeSplitOf(row) !== "tune");
  const kinds = new Map(heldOut.map((row) => [row, kindsOf(row, gold)]));
  const isTrusted = (row: Row) => kinds.get(row)!.every((kind) => kind === "human" || kind === "program");
  const trusted = heldOut.filter(isTrusted);
  const own = allowModelGold || trusted.length === 0 ? heldOut : trusted;
  const rated = own.map((row) => {
    const value = numberOf(row[gold])!;
    const reward = gradedReward({ reward: row.reward ?? null });
    return { row, gold: shares ? markOf(value) : value, judge: reward === null ? null : markOf(reward) };
  });
  const seen = new Set(own.flatMap((row) => kinds.get(row)!));
  const [only] = seen;
  return {
    ...{ scale: marks, rated, nUntrusted: heldOut.length - own.length, nTuned: withGold.length - heldOut.length },
    goldKind:
      seen.size === 0 ? null : seen.size === 1 ? only! : own.every(isTrusted) ? "human+program" : goldKindOf([...seen]),
    trusted: own.length > 0 && (allowModelGold || own.every(isTrusted)),
  };
}

const SHARES: MarkScale = [0, 1];

/** A reward keeps six digits of a share: marks this near a whole one are it. */
const SNAP = 1e-4;

function snapped(mark: number): number {
  const whole = Math.round(mark);
  return Math.abs(mark - whole) <= SNAP ? whole : mark;
}

/** A column of a table may hold its numbers as text. */
export function numberOf(value: unknown): number | null {
  return gradedReward({ reward: (value ?? null) as number | null });
}

/** Kinds of the ratings behind `gold_score`; of another field, and without ratings, the row's own word. */
function kindsOf(row: Row, gold: string): string[] {
  const votes = gold === RATING_FIELD ? latestRatings(row.gold_ratings ?? []) : [];
  const kinds = votes.length > 0 ? votes.map(({ kind }) => kind) : [row.gold_kind];
  return [...new Set(kinds.map((kind) => goldKindOf([kind])!))];
}

/** The scale that all ratings share; without one, shares. */
function sharedScale(rows: readonly Row[]): MarkScale {
  const scales = new Map(
    rows.flatMap((row) =>
      latestRatings(row.gold_ratings ?? []).map(({ scale }) => [JSON.stringify(scale), scale] as const),
    ),
  );
  const [scale] = scales.values();
  return scales.size === 1 && scale?.length === 2 ? (scale as unknown as MarkScale) : SHARES;
}
