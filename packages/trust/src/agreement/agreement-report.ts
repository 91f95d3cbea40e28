import type { Confusion, Inference, Interval } from "@while/stats";

/** Agreement with tasks as the draws: rollouts of one task are no independent labels (Miller 2024). */
export interface ClusteredAgreement {
  nTasks: number;
  /** Sandwich, tasks as clusters. */
  se: number;
  seNaive: number;
  /** By t over tasks; null with one task, and where every task agrees alike. */
  ci95: Interval | null;
  /** Labels that count as one: the variance over that of independent labels; null where that is 0. */
  designEffect: number | null;
}

/** How a judge's verdicts agree with gold labels of the same rows. Shares at full precision. */
export interface JudgeAgreement {
  /** Rows with a 0 or 1 on both sides. */
  n: number;
  nSkipped: number;
  /** Rows without a twin, where gold is another list of rows. */
  nUnmatched: number;
  agreement: number | null;
  /** Wilson's. */
  ci95: Interval | null;
  /** Null where no task has two labeled rows. */
  clustered: ClusteredAgreement | null;
  /** Null with the reason in `kappaNote`. */
  kappa: number | null;
  kappaSe: number | null;
  kappaCi95: Interval | null;
  kappaNote: "no_labels" | "one_class" | null;
  confusion: Confusion;
  /** The leak: of the rows gold fails, the share the judge passes. */
  passWhenGoldFail: number | null;
  passWhenGoldFailCi95: Interval | null;
  /** The miss: of the rows gold passes, the share the judge fails. */
  failWhenGoldPass: number | null;
  failWhenGoldPassCi95: Interval | null;
  /** Of the rows gold passes, the share the judge passes. */
  tpr: number | null;
  tprCi95: Interval | null;
  /** Of the rows gold fails, the share the judge fails. */
  tnr: number | null;
  tnrCi95: Interval | null;
  /** Both rates with tasks as the draws; null where no task has two such rows, and where every task is judged alike. */
  tprOverTasks: Interval | null;
  tnrOverTasks: Interval | null;
  /** Companions of kappa that stand a rare class. */
  ac1: number | null;
  pabak: number | null;
  scottPi: number | null;
  mcc: number | null;
  judgePassRate: number | null;
  goldPassRate: number | null;
  /** Who wrote the gold; null without. */
  goldKind: string | null;
  /** People or programs wrote all of it, or `allowModelGold` was given. */
  trusted: boolean;
  /** There are labels, and they may be measured against. Whether the judge is good enough is `judgeTrust`'s to say. */
  ok: boolean;
  inference: Inference;
  warnings: string[];
}
