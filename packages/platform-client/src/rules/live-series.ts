import { roundHalfEven } from "@while/schema";
import type { LiveSeries } from "../contract/dashboard.ts";
import type { LiveDay } from "../contract/live.ts";

/** Days that a page shows. */
const DAYS_MAX = 90;
const WEEK_MS = 7 * 86_400_000;

/** Days of traffic by time, the last 90, and what the seven that end on the last one add up to. */
export function liveSeries(reported: readonly LiveDay[], serving: string | null): LiveSeries {
  const order = (a: LiveDay, b: LiveDay) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0);
  const days = [...reported].sort(order).slice(-DAYS_MAX);
  const last = days.at(-1);
  const since = last === undefined ? 0 : Date.parse(last.day) - WEEK_MS;
  const week = days.filter(({ day }) => Date.parse(day) > since);
  const priced = week.filter(({ costUsd }) => typeof costUsd === "number");
  const sum = (list: readonly LiveDay[], value: (day: LiveDay) => number) =>
    list.reduce((total, day) => total + value(day), 0);
  const pricedReplies = sum(priced, ({ replies }) => replies);
  const served = days.findIndex(({ version }) => version === serving);
  return {
    days: days.map(({ day }) => day),
    version: days.map(({ version }) => version),
    flaggedPct: days.map(({ flagged, replies }) =>
      replies === 0 ? null : roundHalfEven((100 * (flagged ?? 0)) / replies, 2),
    ),
    p50s: days.map(({ p50s }) => p50s ?? null),
    replies: days.map(({ replies }) => replies),
    servedAtIndex: served === -1 ? null : served,
    replies7d: sum(week, ({ replies }) => replies),
    newFailures: sum(week, ({ flagged }) => flagged ?? 0),
    costPer1k: pricedReplies === 0 ? null : (1000 * sum(priced, ({ costUsd }) => costUsd!)) / pricedReplies,
  };
}
