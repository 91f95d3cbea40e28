import { compareCodePoints, type Row } from "@while/schema";
import { handFeatures } from "./hand-features.ts";
import type { ScanSettings } from "./scan-options.ts";
import { scanText } from "./scan-text.ts";

/** All of a rollout that is scanned. */
export interface RowContent {
  reward: number;
  text: string;
  features: ReadonlyMap<string, number>;
  /** Equal for rollouts that are alike in everything but the reward. */
  profile: string;
}

export function rowContent(row: Row, { reward, features: own }: ScanSettings): RowContent {
  const text = scanText(row);
  const features = handFeatures(row, { text, own });
  const profile = JSON.stringify([text, [...features].sort(([a], [b]) => compareCodePoints(a, b))]);
  return { reward: row[reward] as number, text, features, profile };
}

/**
 * Rollouts of an ask, and asks, ordered by what is scanned of them: a shuffle draws places, and then neither the order
 * of rows nor the name of an ask changes a report.
 */
export function inContentOrder(groups: readonly (readonly RowContent[])[]): RowContent[][] {
  const byContent = (a: RowContent, b: RowContent): number =>
    a.reward - b.reward || compareCodePoints(a.profile, b.profile);
  return groups
    .map((group) => [...group].sort(byContent))
    .sort((a, b) => {
      for (let i = 0; i < Math.min(a.length, b.length); i++) {
        const order = byContent(a[i]!, b[i]!);
        if (order !== 0) return order;
      }
      return a.length - b.length;
    });
}
