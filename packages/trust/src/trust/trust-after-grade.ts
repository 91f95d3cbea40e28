import { isObject, type Row, roundHalfEven } from "@while/schema";
import { binaryReward } from "@while/stats";
import { isTrustedRow, reportedKind } from "../agreement/gold.ts";
import { MIN_GOLD } from "../agreement/thresholds.ts";
import { judgeSplitOf } from "../labels/judge-split.ts";
import { TrustError } from "../trust-error.ts";
import { trustOfLabels } from "./trust-of-labels.ts";
import { labelTrustSettings } from "./trust-options.ts";
import type { JudgeTrust } from "./trust-report.ts";

/** What grading does about labels that say its judge is no good: say so, refuse, or not look. */
export const TRUST_MODES = ["warn", "require", "off"] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

/** As it lands in `judge_meta.trust`, in the spelling of the wire. */
export interface TrustStamp {
  agreement: number;
  agreement_low: number;
  kappa: number | null;
  n_gold: number;
  ok: boolean;
}

/** As a report of grading carries it. */
export interface GradeTrust extends TrustStamp {
  goldKind: string;
}

export interface TrustAfterGradeOptions {
  mode?: TrustMode;
}

export interface TrustAfterGrade {
  /** The rows; graded ones as copies with the stamp, where something was measured. */
  rows: Row[];
  /** Null where nothing was measured. */
  trust: GradeTrust | null;
  warnings: string[];
}

/** Grading under `require` whose judge the labels do not bear out. The graded rows are not lost. */
export class JudgeTrustError extends TrustError {
  readonly rows: readonly Row[];
  readonly trust: GradeTrust | null;

  constructor(what: string, fix: string, { rows, trust }: { rows: readonly Row[]; trust: GradeTrust | null }) {
    super("judge_not_trusted", what, fix);
    this.rows = rows;
    this.trust = trust;
  }
}

/**
 * Is the judge that has just graded these rows to be believed? Measured on the rows whose gold people or programs wrote,
 * by `judgeTrust` with its defaults and without a call, and stamped on every graded row as `judge_meta.trust`, where the
 * publish gate reads it.
 *
 * @throws JudgeTrustError `judge_not_trusted` under `require`, where the judge does not hold or nothing was measured
 * @throws TrustError `bad_option` for another mode
 */
export function trustAfterGrade(rows: readonly Row[], { mode = "warn" }: TrustAfterGradeOptions = {}): TrustAfterGrade {
  if (!TRUST_MODES.includes(mode)) {
    throw new TrustError("bad_option", `trust is ${JSON.stringify(mode)}.`, "Pass warn, require or off.");
  }
  if (mode === "off") return { rows: [...rows], trust: null, warnings: [] };
  const labeled = rows.filter((row) => binaryReward(row) !== null && isTrustedRow(row));
  const measured = labeled.filter((row) => judgeSplitOf(row) !== "tune");
  if (measured.length === 0) {
    const missing =
      labeled.length === 0
        ? "no graded row has a label by people or programs"
        : `the judge was tuned on all ${labeled.length} graded rows with a label by people or programs`;
    const note = `accuracy of the judge not measured: ${missing}. Label ${MIN_GOLD} rows (attachLabels, kind human) and grade again`;
    if (mode === "require") {
      throw new JudgeTrustError(
        `The judge was to be trusted, and ${missing}.`,
        `Label ${MIN_GOLD} rows (attachLabels, kind human) and grade again, or pass trust: "warn".`,
        { rows: [...rows], trust: null },
      );
    }
    return { rows: [...rows], trust: null, warnings: [note] };
  }
  const report = trustOfLabels(measured, labelTrustSettings({}));
  const stamp = stampOf(report);
  const stamped = rows.map((row) => (binaryReward(row) === null ? row : stampTrust(row, stamp)));
  const trust = { ...stamp, goldKind: reportedKind(measured).goldKind! };
  if (report.ok) return { rows: stamped, trust, warnings: [] };
  const warning = reasonsOf(report);
  if (mode === "require") {
    throw new JudgeTrustError(`The judge is not to be trusted: ${warning}.`, 'Mend the judge, or pass trust: "warn".', {
      rows: stamped,
      trust,
    });
  }
  return { rows: stamped, trust, warnings: [warning] };
}

function stampOf({ agreement, ok }: JudgeTrust): TrustStamp {
  return {
    agreement: roundHalfEven(agreement.agreement!, 4),
    agreement_low: roundHalfEven(agreement.ci95![0], 4),
    kappa: agreement.kappa === null ? null : roundHalfEven(agreement.kappa, 4),
    n_gold: agreement.n,
    ok,
  };
}

function stampTrust(row: Row, trust: TrustStamp): Row {
  const meta = isObject(row.judge_meta) ? row.judge_meta : {};
  return { ...row, judge_meta: { ...meta, trust } };
}

/** What fails; where nothing does, all there is to say. */
function reasonsOf({ findings, warnings }: JudgeTrust): string {
  const fails = findings.filter(({ severity }) => severity === "fail").map(({ message }) => message);
  return (fails.length > 0 ? fails : warnings).join("; ");
}
