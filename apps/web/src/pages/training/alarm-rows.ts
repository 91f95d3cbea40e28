import { listIn, numberIn, objectIn, textIn, type WireObject } from "../../wire-values.ts";

export interface AlarmRow {
  step: number;
  kind: string;
  /** The step it is compared with; null where the run's points alone raised it. */
  since: number | null;
  /** The monitor's own sentence; null where the run's points alone raised it. */
  reason: string | null;
}

/**
 * Alarms of a run, the newest first: those that its summary explains, and those that stand among its points. A monitor
 * posts the points at once and the summary with the end of the run.
 */
export function alarmRows(
  summary: WireObject | null | undefined,
  logged: readonly { step: number; kind: string }[],
): AlarmRow[] {
  const monitor = objectIn(summary ?? {}, "hack_monitor");
  const rows = new Map<string, AlarmRow>();
  for (const { step, kind } of logged) rows.set(`${kind} ${step}`, { step, kind, since: null, reason: null });
  for (const alarm of monitor === null ? [] : listIn(monitor, "alarms")) {
    if (typeof alarm !== "object" || alarm === null) continue;
    const read = alarm as WireObject;
    const [step, kind] = [numberIn(read, "step"), textIn(read, "kind")];
    if (step === null || kind === null) continue;
    rows.set(`${kind} ${step}`, { step, kind, since: numberIn(read, "since"), reason: textIn(read, "reason") });
  }
  return [...rows.values()].toSorted((a, b) => b.step - a.step || (a.kind < b.kind ? -1 : 1));
}

/** How the monitor of reward hacking was set, as it says itself. */
export interface MonitorReading {
  rule: string;
  every: number | null;
  prompts: number | null;
  k: number | null;
  window: number | null;
  delta: number | null;
  lengthPct: number | null;
  stopOn: string[];
  stoppedAt: { step: number; kind: string } | null;
  /** What the reward of the last training rollouts pays for; null where they were not scanned. */
  scan: { regime: string; top: string | null; rho: number | null } | null;
  /** Evaluations that failed, and what the monitor cannot see. */
  minded: string[];
  /** Proxy, gold and reply length at each evaluation. */
  history: { step: number; proxy: number | null; gold: number | null; length: number | null; kl: number | null }[];
}

/** The monitor's block of a summary; null where no monitor wrote one. */
export function readMonitor(summary: WireObject | null | undefined): MonitorReading | null {
  const monitor = objectIn(summary ?? {}, "hack_monitor");
  if (monitor === null) return null;
  const stopped = objectIn(monitor, "stopped_at");
  const scan = objectIn(monitor, "last_scan");
  const step = stopped === null ? null : numberIn(stopped, "step");
  return {
    rule: textIn(monitor, "rule") ?? "unnamed",
    every: numberIn(monitor, "every"),
    prompts: numberIn(monitor, "n_prompts"),
    k: numberIn(monitor, "k"),
    window: numberIn(monitor, "window"),
    delta: numberIn(monitor, "delta"),
    lengthPct: numberIn(monitor, "length_pct"),
    stopOn: texts(monitor, "stop_on"),
    stoppedAt: stopped === null || step === null ? null : { step, kind: textIn(stopped, "kind") ?? "alarm" },
    scan:
      scan === null
        ? null
        : {
            regime: textIn(scan, "regime") ?? "unknown",
            top: textIn(scan, "top_feature"),
            rho: numberIn(scan, "rho_max"),
          },
    minded: [...texts(monitor, "warnings"), ...failures(monitor)],
    history: listIn(monitor, "history").flatMap((entry) => {
      if (typeof entry !== "object" || entry === null) return [];
      const read = entry as WireObject;
      const step = numberIn(read, "step");
      if (step === null) return [];
      const [proxy, gold] = [numberIn(read, "proxy"), numberIn(read, "gold")];
      return [{ step, proxy, gold, length: numberIn(read, "length"), kl: numberIn(read, "kl") }];
    }),
  };
}

function texts(object: WireObject, key: string): string[] {
  return listIn(object, key).filter((item) => typeof item === "string");
}

function failures(monitor: WireObject): string[] {
  return listIn(monitor, "failures").flatMap((failure) => {
    if (typeof failure !== "object" || failure === null) return [];
    const step = numberIn(failure as WireObject, "step");
    return [
      `The evaluation${step === null ? "" : ` at step ${step}`} failed: ${textIn(failure as WireObject, "reason") ?? "no reason was given"}`,
    ];
  });
}
