import type { Verdict } from "../contract/verdict.ts";
import type { Rules } from "./difference.ts";
import { formatVerdict } from "./format-verdict.ts";

/** The verdict of an agent without a behavior: nothing is compared with anything. */
export function noVerdict(serving: string | null, rules: Rules = "strict"): Verdict {
  const fields: Omit<Verdict, "text"> = {
    kind: serving === null ? "no_score" : "serving_only",
    candidate: null,
    serving,
    behavior: null,
    delta: null,
    halfWidth: null,
    excludesZero: null,
    candidateTest: null,
    servedTest: null,
    noiseFloor: null,
    n: null,
    judgeAgreement: null,
    judgeHumanN: null,
    rewardIsJudge: null,
    gradedBy: null,
    contamination: null,
    replicated: [],
    regressions: 0,
    regressionNames: [],
    regressionsClear: [],
    compared: 0,
    replicatedSeeds: [],
    tried: 0,
    expectedBest: null,
    gaps: [],
    rests: [],
    rules,
  };
  return { ...fields, text: formatVerdict(fields) };
}
