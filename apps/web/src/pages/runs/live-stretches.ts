import type { LiveSeries, PromotionEntry } from "@while/platform-client/contract";

/** Days in a row that one version answered. */
export interface LiveStretch {
  version: string | null;
  from: number;
  to: number;
}

/** The days by the version that answered; a day without a version stands alone. */
export function liveStretches({ version }: Pick<LiveSeries, "version">): LiveStretch[] {
  const stretches: LiveStretch[] = [];
  for (const [at, name] of version.entries()) {
    const last = stretches.at(-1);
    if (last !== undefined && last.version === name) last.to = at;
    else stretches.push({ version: name, from: at, to: at });
  }
  return stretches;
}

/** Promotions that happened inside the days, with the place of their day. */
export function promotionsOnDays(
  { days }: Pick<LiveSeries, "days">,
  promotions: readonly PromotionEntry[],
): { at: number; entry: PromotionEntry }[] {
  return promotions.flatMap((entry) => {
    const at = days.indexOf(entry.at.slice(0, 10));
    return at === -1 ? [] : [{ at, entry }];
  });
}
