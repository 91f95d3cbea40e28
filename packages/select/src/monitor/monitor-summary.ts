import type { ScanSide } from "../hacks/hack-scan-diff.ts";
import type { GoldGap } from "./gold-gap.ts";
import type { Alarm, AlarmKind } from "./monitor-alarm.ts";
import type { MonitorRule } from "./monitor-options.ts";
import type { GoldChange, MonitorPoint } from "./window-alarms.ts";

/** One evaluation of the holdout. */
export interface MonitorEvaluation extends MonitorPoint {
  /** Rollouts drawn. */
  n: number;
  /** Rollouts that gold could score. */
  nGold: number;
  /** The last that the trainer logged. */
  kl: number | null;
  /** What gold did since the evaluation that this one is compared with; null for the first. */
  goldVsWindow: ({ since: number } & GoldChange) | null;
  /** Gain of the proxy less gain of gold since then. */
  gap: GoldGap | null;
}

/** Why a run was ended. */
export interface MonitorStop {
  step: number;
  kind: AlarmKind;
  reason: string;
}

export interface MonitorSummary {
  rule: MonitorRule;
  nEvals: number;
  every: number;
  k: number;
  nPrompts: number;
  window: number;
  delta: number;
  lengthPct: number;
  klBudget: number | null;
  endorsed: string[];
  stopOn: AlarmKind[];
  history: MonitorEvaluation[];
  alarms: Alarm[];
  /** What the reward of the training rollouts pays for; null where nothing is endorsed or too few were recorded. */
  lastScan: ScanSide | null;
  stoppedAt: MonitorStop | null;
  /** Evaluations that failed, and why. */
  failures: { step: number; reason: string }[];
  /** What this monitor cannot see. */
  warnings: string[];
}
