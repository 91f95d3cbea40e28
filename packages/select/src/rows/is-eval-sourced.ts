import { isObject, type Row } from "@while/schema";

/**
 * Did this row's reward come from an evaluation? Its lineage says so, or it is stamped as one. Training on such rows
 * makes the held-out scorer the reward model. The Python SDK reads the lineage alone.
 */
export function isEvalSourced(row: Row): boolean {
  return (isObject(row.lineage) && row.lineage.source === "eval") || row.stage === "eval" || isHeldOut(row.purpose);
}

function isHeldOut(purpose: unknown): boolean {
  return purpose === "eval" || purpose === "holdout";
}

/** The one sentence that every selector says about such rows. */
export function evalSourcedWarning(nRows: number): string {
  return (
    `Selected rows scored by an evaluation: ${nRows}. Training on them makes the held-out scorer the reward model, ` +
    "and its score stops being a check. Grade training rows with a judge of their own, and keep that scorer for " +
    "held-out ones."
  );
}
