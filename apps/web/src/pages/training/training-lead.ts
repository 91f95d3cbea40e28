import { duration, points, whole } from "../../numbers.ts";
import type { AlarmRow, MonitorReading } from "./alarm-rows.ts";
import type { HeldOut } from "./held-out.ts";
import type { StepPace } from "./step-pace.ts";

export interface TrainingState {
  status: string;
  total: number | null;
  pace: StepPace;
  alarms: readonly AlarmRow[];
  monitor: MonitorReading | null;
  held: HeldOut | null;
}

/** The one sentence over a run: how it ended or how far it is, and what is to be minded first. */
export function trainingLead({ status, total, pace, alarms, monitor, held }: TrainingState): string {
  const at = pace.step === null ? "" : ` at step ${whole(pace.step)}${total === null ? "" : ` of ${whole(total)}`}`;
  const alarmed = alarmWords(alarms);
  switch (status) {
    case "failed":
      return `It failed${at}.`;
    case "stopped": {
      const stop = monitor?.stoppedAt ?? null;
      return stop === null
        ? `It was stopped${at}.`
        : `The monitor stopped it at step ${whole(stop.step)}: ${stop.kind}.`;
    }
    case "running": {
      if (pace.step === null) return "It runs, and has logged no step yet.";
      const left = pace.leftS === null ? "" : `, about ${duration(pace.leftS)} to go`;
      return `It runs${at}${left}.${alarmed}`;
    }
    default:
      return `${outcome(held)}${alarmed}`;
  }
}

function alarmWords(alarms: readonly AlarmRow[]): string {
  if (alarms.length === 0) return "";
  const first = alarms.at(-1)!.step;
  return ` ${alarms.length === 1 ? "One alarm" : `${whole(alarms.length)} alarms`} since step ${whole(first)}.`;
}

function outcome(held: HeldOut | null): string {
  if (held === null || held.after === null)
    return "Done. Nothing says how it does on tasks that it was not trained on.";
  const both = `${side(held.before?.value ?? null, held.metric)} to ${side(held.after.value, held.metric)}`;
  const what = held.metric === "loss" ? "held-out loss" : "held out";
  if (held.word === "No interval") return `Done: ${what} ${both}, without an interval.`;
  return `${held.word} on the held-out set: ${both}.`;
}

function side(value: number | null, metric: HeldOut["metric"]): string {
  if (value === null) return "not measured";
  return metric === "loss" ? value.toPrecision(3) : points(value);
}
