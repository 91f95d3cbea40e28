import { compareCodePoints, latestRatings, textOf } from "@while/schema";
import { concordance, type Interval, krippendorffAlpha } from "@while/stats";
import type { RatedRow } from "./rated-rows.ts";

/** How the people agree with each other: no judge can be asked for more. */
export interface RaterCeiling {
  /** The two who rated most rows together. */
  pair: [string, string];
  n: number;
  concordance: number | null;
  ci95: Interval | null;
  /** Krippendorff's ordinal alpha of all people, with gaps. */
  alphaOrdinal: number | null;
  nRaters: number;
}

/** @returns null without a row that two people rated */
export function raterCeiling(rated: readonly RatedRow[]): RaterCeiling | null {
  const byRow = rated.map(({ row }) => {
    const people = latestRatings(row.gold_ratings ?? []).filter(({ kind }) => kind === "human" || kind == null);
    return new Map(
      people.map(({ rating, scale, annotator }) => {
        const [low, high] = scale ?? [0, 1];
        return [textOf(annotator) || "unknown", (rating - low!) / (high! - low!)] as const;
      }),
    );
  });
  const names = [...new Set(byRow.flatMap((marks) => [...marks.keys()]))].sort(compareCodePoints);
  let most: { pair: [string, string]; n: number } | null = null;
  for (const [i, first] of names.entries()) {
    for (const second of names.slice(i + 1)) {
      const n = byRow.filter((marks) => marks.has(first) && marks.has(second)).length;
      if (n > (most?.n ?? 0)) most = { pair: [first, second], n };
    }
  }
  if (most === null) return null;
  const [one, other] = most.pair.map((name) => byRow.map((marks) => marks.get(name) ?? null));
  const agreed = concordance(one!, other!);
  return {
    ...most,
    ...{ concordance: agreed.concordance, ci95: agreed.ci95 },
    alphaOrdinal: krippendorffAlpha(
      byRow.map((marks) => [...marks.values()]),
      { level: "ordinal" },
    ).alpha,
    nRaters: names.length,
  };
}
