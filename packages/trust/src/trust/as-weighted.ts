import type { JudgeAgreement } from "../agreement/agreement-report.ts";
import type { WeightedAgreement } from "../labels/weighted-agreement.ts";
import type { RuleSet } from "./trust-rule.ts";

/**
 * Whether the weighted shares decide. Where labels were drawn alike from both verdicts they are the plain ones but for chance,
 * and the surer ones (post-stratified); so that nothing hangs on a test of how they were drawn.
 */
export function isDecidedByWeights(weighted: WeightedAgreement | null, rule: RuleSet): weighted is WeightedAgreement {
  return rule.weighted && weighted !== null && weighted.note === null;
}

/** The agreement report with the shares of all rows in place of those of the labels; counts stay those of the labels. */
export function asWeighted(agreement: JudgeAgreement, weighted: WeightedAgreement): JudgeAgreement {
  const { tpr, tprCi95, tnr, tnrCi95 } = weighted;
  return {
    ...agreement,
    ...{ agreement: weighted.agreement, ci95: weighted.agreementCi95, clustered: null },
    ...{ kappa: weighted.kappa, kappaCi95: weighted.kappaCi95 },
    ...{ tpr, tprCi95, tnr, tnrCi95, tprOverTasks: null, tnrOverTasks: null },
    passWhenGoldFail: tnr === null ? null : 1 - tnr,
    passWhenGoldFailCi95: tnrCi95 === null ? null : [1 - tnrCi95[1], 1 - tnrCi95[0]],
    failWhenGoldPass: tpr === null ? null : 1 - tpr,
    failWhenGoldPassCi95: tprCi95 === null ? null : [1 - tprCi95[1], 1 - tprCi95[0]],
  };
}
