import type { Verdict } from "../contract/verdict.ts";
import { formatPoints, formatSignificant } from "./number-format.ts";

/** Fewest tasks that a claim may rest on. */
export const MIN_N = 50;
/** Share of people's labels that a judge has to agree with. */
export const MIN_AGREEMENT = 0.8;
/** Labels by people behind an agreement. */
export const MIN_HUMAN_N = 50;
/** Correlation of score and length that is still no preference for words. */
export const MAX_LENGTH_BIAS = 0.3;
/** Points from which a test shows no gain. */
export const SATURATED = 95;

/** Versions read on one test from which one of them is likely to beat by chance: 1 − 0.975^10 is 22%. */
export const MANY_TRIED = 10;

/** What a claim lacks, in the order it is told. An unverified agreement is a matter of the eval's health, not of this. */
export function verdictGaps(verdict: Omit<Verdict, "text">): string[] {
  const { n, gradedBy, judgeAgreement, rewardIsJudge, contamination } = verdict;
  const { kind, rules, tried, expectedBest, replicated, replicatedSeeds } = verdict;
  const gaps: string[] = [];
  if (n === null) gaps.push("n not declared");
  else if (n < MIN_N) gaps.push(`n=${n} under ${MIN_N}`);
  if (gradedBy !== "program" && judgeAgreement === null) gaps.push("judge agreement unmeasured");
  else if (gradedBy !== "program" && judgeAgreement! < MIN_AGREEMENT) {
    gaps.push(`judge agreement ${formatSignificant(judgeAgreement!)} under ${MIN_AGREEMENT}`);
  }
  if (rewardIsJudge === true) gaps.push("the training reward is the judge");
  if (contamination !== null && contamination > 0) gaps.push(`${contamination} test items in training data`);
  const alone = replicated.length === 0 && (replicatedSeeds ?? []).length === 0;
  if (rules === "strict" && kind === "beats" && tried >= MANY_TRIED && alone) {
    const chance = expectedBest == null ? "" : `, of which the best gains ${formatPoints(expectedBest)} by chance`;
    gaps.push(`${tried} versions tried on one test${chance}: replicate it, or take a fresh test`);
  }
  return gaps;
}

/** What the number rests on. */
export function verdictRests({ n, gradedBy, judgeAgreement, judgeHumanN }: Omit<Verdict, "text">): string[] {
  const rests: string[] = [];
  if (gradedBy === "program") rests.push("graded by a program");
  else if (judgeAgreement !== null) {
    rests.push(`judge agreement ${formatSignificant(judgeAgreement)} on ${judgeHumanN ?? "?"}`);
  }
  if (n !== null) rests.push(`n=${n}`);
  return rests;
}
