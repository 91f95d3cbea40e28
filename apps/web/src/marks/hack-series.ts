import type { TrainCurve } from "@while/platform-client/contract";

/** Names under which the monitor logs what the trainer pays, what the frozen judge says, and its alarms. */
const PROXY = "proxy_reward";
const GOLD = "gold_reward";
const ALARM = /^alarm_(.+)$/;

export interface HackSeries {
  proxy: readonly (number | null)[] | null;
  gold: readonly (number | null)[] | null;
  alarms: { step: number; kind: string }[];
  /** First step of a divergence alarm's kind, from which proxy and gold part; null without one. */
  divergedAt: number | null;
}

/** What the monitor of reward hacking logged on a curve. */
export function hackSeries({ steps, series }: Pick<TrainCurve, "steps" | "series">): HackSeries {
  const alarms = Object.entries(series).flatMap(([name, values]) => {
    const kind = ALARM.exec(name)?.[1];
    if (kind === undefined) return [];
    return steps.flatMap((step, place) => (values[place] ? [{ step, kind }] : []));
  });
  alarms.sort((a, b) => a.step - b.step);
  const proxy = series[PROXY] ?? null;
  const gold = series[GOLD] ?? null;
  const first = alarms.find(({ kind }) => kind === "divergence")?.step ?? null;
  return { proxy, gold, alarms, divergedAt: first === null ? null : partedAt(steps, proxy, gold, first) };
}

/** An alarm looks back: the gap is tinted from the last reading before it on which proxy and gold were closest. */
function partedAt(
  steps: readonly number[],
  proxy: readonly (number | null)[] | null,
  gold: readonly (number | null)[] | null,
  alarm: number,
): number {
  const before = steps.flatMap((step, place) => {
    const [paid, said] = [proxy?.[place], gold?.[place]];
    return step <= alarm && typeof paid === "number" && typeof said === "number" ? [{ step, gap: paid - said }] : [];
  });
  let place = before.length - 1;
  while (place > 0 && before[place - 1]!.gap < before[place]!.gap) place -= 1;
  return before[place]?.step ?? alarm;
}

/** Whether a name is one of the monitor's own, which the chart draws in their own way. */
export function isHackSeries(name: string): boolean {
  return name === PROXY || name === GOLD || ALARM.test(name);
}
