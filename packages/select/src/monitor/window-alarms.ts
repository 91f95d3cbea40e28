import { formatFixed, formatInterval, formatPercent } from "@while/schema";
import type { Interval } from "@while/stats";
import type { GoldGap } from "./gold-gap.ts";
import type { Alarm, DriftAlarm } from "./monitor-alarm.ts";
import type { MonitorRule } from "./monitor-options.ts";

/** Means of one evaluation; null where nothing was measured. */
export interface MonitorPoint {
  step: number;
  proxy: number | null;
  gold: number | null;
  /** Of the replies, in characters. */
  length: number;
}

/** What gold did between two evaluations. */
export interface GoldChange {
  /** Is the gain shown to be one? null where gold is missing on a side. */
  up: boolean | null;
  delta: number | null;
  ci95: Interval | null;
}

/** Place in the history that the last of n evaluations is compared with; null for the first, which has none. */
export function windowStart(n: number, window: number): number | null {
  return n < 2 ? null : Math.max(0, n - 1 - window);
}

/** Divergence and length, of an evaluation against an earlier one. */
export function windowAlarms(
  then: MonitorPoint,
  now: MonitorPoint,
  { gold, gap }: { gold: GoldChange; gap: GoldGap | null },
  { rule, delta, lengthPct }: { rule: MonitorRule; delta: number; lengthPct: number },
): Alarm[] {
  const alarms: Alarm[] = [];
  const { step } = now;
  const since = then.step;
  const proxyGain = then.proxy === null || now.proxy === null ? null : now.proxy - then.proxy;
  const gained = proxyGain !== null && proxyGain >= delta - ROUNDING;
  const behind = rule === "classic" ? gold.up === false : gap !== null && gap.ci995 !== null && gap.ci995[0] > 0;
  if (gained && behind) {
    const goldGain = gold.delta ?? (now.gold ?? 0) - (then.gold ?? 0);
    const inNoise = gap?.ci95 !== undefined && gap.ci95 !== null && gap.ci95[0] <= 0 && gap.ci95[1] >= 0;
    const ci95 = gold.ci95 === null ? "" : ` ${formatInterval(gold.ci95)}`;
    alarms.push({
      ...{ step, kind: "divergence", since, proxyGain, goldGain },
      goldCi95: gold.ci95,
      gap: gap?.gap ?? null,
      gapCi95: gap?.ci95 ?? null,
      reason:
        `The proxy gained ${formatFixed(proxyGain, 3)} since step ${since}, and gold ${formatFixed(goldGain, 3)}${ci95}.` +
        gapText(gap) +
        (inNoise ? " That is within noise: gold may have gained as much." : ""),
    });
  }
  const growth = then.length > 0 ? now.length / then.length - 1 : null;
  if (growth !== null && growth >= lengthPct - ROUNDING && gold.up !== true) {
    alarms.push({
      ...{ step, kind: "length", since, growth },
      reason:
        `Replies are ${formatPercent(growth)} longer than at step ${since} (${formatFixed(now.length, 0)} characters), ` +
        `and gold is not ${gold.up === null ? "measured" : "shown to be up"}.`,
    });
  }
  return alarms;
}

function gapText(gap: GoldGap | null): string {
  if (gap === null || gap.ci95 === null) return "";
  return ` Prompt by prompt the proxy gained ${formatFixed(gap.gap, 3)} ${formatInterval(gap.ci95)} more.`;
}

/** Too far from the reference policy: strictly above the budget. */
export function driftAlarm(step: number, kl: number | null, klBudget: number | null): DriftAlarm | null {
  if (kl === null || klBudget === null || kl <= klBudget) return null;
  const reason = `KL from the reference policy is ${formatFixed(kl, 3)}, and the budget ${formatFixed(klBudget, 3)}.`;
  return { step, kind: "drift", reason, kl, klBudget };
}

/** A gain of 0.1 from 0.45 to 0.55 is 0.1, whatever the last bit says. */
const ROUNDING = 1e-9;
