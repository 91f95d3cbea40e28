import type { LeakRule } from "../agreement/agreement-findings.ts";
import type { JudgeSeverity } from "../agreement/finding.ts";

/**
 * Which rule decides. `floors`, the Python SDK's: the lower bound of agreement and kappa against a floor each, and a flag
 * wherever a share is over its threshold. `strict`: both kinds of error have to be shown to be rare, tasks are the draws,
 * and what straddles a floor is open.
 */
export type TrustRule = "floors" | "strict";

/** What the one code path asks of a rule. */
export interface RuleSet {
  leakRule: LeakRule;
  /** Agreement and both error rates against their floors: by Wilson's bound alone, or the wider of it and that over tasks. */
  clustered: boolean;
  /** Where rows without a label were judged too: the shares over all of them, weighted back, in place of the plain ones. */
  weighted: boolean;
  /** What straddles a floor: failed, or open. */
  straddling: JudgeSeverity;
  /** Kappa by its value, or by its interval. */
  kappaByInterval: boolean;
  /** What both error rates, each against its floor, come to. */
  errorRates: { under: JudgeSeverity; open: JudgeSeverity };
  /** Length over both gold labels at once. */
  pooledLength: JudgeSeverity;
  /** Length in one label and over both as one family of tests, where either of them fails a judge. */
  lengthTogether: boolean;
  /** Labeled rows without a verdict. */
  unjudged: JudgeSeverity;
  /** Verdicts that hang on how the judge was asked. */
  fragile: JudgeSeverity;
  /** A probe by its share, or by a lower bound on what it adds to a placebo, over all probes at once. */
  probesByBound: boolean;
}

export const RULE_SETS: Readonly<Record<TrustRule, RuleSet>> = {
  floors: {
    leakRule: "point",
    clustered: false,
    weighted: false,
    straddling: "fail",
    kappaByInterval: false,
    errorRates: { under: "note", open: "note" },
    pooledLength: "note",
    lengthTogether: false,
    unjudged: "note",
    fragile: "warn",
    probesByBound: false,
  },
  strict: {
    leakRule: "bound",
    clustered: true,
    weighted: true,
    straddling: "open",
    kappaByInterval: true,
    errorRates: { under: "fail", open: "open" },
    pooledLength: "fail",
    lengthTogether: true,
    unjudged: "open",
    fragile: "fail",
    probesByBound: true,
  },
};
