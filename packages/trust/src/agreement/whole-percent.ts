import { formatPercent } from "@while/schema";

/** A share in whole percent that never says all for less than all, nor nothing for more than nothing. */
export function wholePercent(share: number | null): string {
  if (share !== null && share < 1 && share >= 0.995) return ">99%";
  if (share !== null && share > 0 && share <= 0.005) return "<1%";
  return formatPercent(share);
}
