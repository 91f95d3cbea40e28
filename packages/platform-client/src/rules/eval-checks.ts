import { formatFixed } from "@while/schema";
import type { Behavior } from "../contract/behaviors.ts";
import type { VersionScore } from "../contract/dashboard.ts";
import type { EvalCheck, EvalCheckKey } from "../contract/verdict.ts";
import { formatPoints } from "./number-format.ts";
import { MAX_LENGTH_BIAS, MIN_AGREEMENT, MIN_HUMAN_N, MIN_N, SATURATED } from "./verdict-gaps.ts";

/** What the checks look at. */
interface CheckInput {
  behavior: Behavior;
  versions: readonly VersionScore[];
  /** The version that the others are held against. */
  base: VersionScore | null;
  /** Points that the intervals can tell apart; null without intervals. */
  resolves: number | null;
}

/** What one check found; `why` and `action` are said where it failed, and otherwise in general. */
type Found = Pick<EvalCheck, "ok" | "value" | "why" | "action">;

interface Check {
  key: EvalCheckKey;
  label: string;
  rule: string;
  cite: string;
  look: (input: CheckInput) => Found;
}

const BOOK = "Lambert 2025, RLHF Book, Evaluation";

/** Eight things that a held-out test must have, in the order they are shown. */
export const CHECKS: readonly Check[] = [
  { key: "frozen", label: "frozen", rule: "the test has a name", cite: BOOK, look: frozen },
  { key: "size", label: "size", rule: `n >= ${MIN_N}`, cite: "Miller 2024, arXiv:2411.00640", look: size },
  {
    key: "judge",
    label: "judge",
    rule: `a program, or a measured agreement >= ${MIN_AGREEMENT} on >= ${MIN_HUMAN_N} labels`,
    cite: "Zheng et al. 2023, arXiv:2306.05685",
    look: judge,
  },
  {
    key: "length",
    label: "length",
    rule: `|r| of score and reply length <= ${MAX_LENGTH_BIAS}`,
    cite: "Dubois et al. 2024, arXiv:2404.04475",
    look: length,
  },
  {
    key: "noise",
    label: "noise floor",
    rule: "the spread of re-runs is measured",
    cite: `${BOOK}: 0.25 to 1.5 points between runs of one setup`,
    look: noise,
  },
  { key: "contamination", label: "clean", rule: "0 test items in training data", cite: BOOK, look: clean },
  {
    key: "reward",
    label: "reward ≠ judge",
    rule: "the training reward is not this judge",
    cite: "Gao et al. 2022, arXiv:2210.10760",
    look: reward,
  },
  {
    key: "canfail",
    label: "can fail",
    rule: `the base scores under ${SATURATED}`,
    cite: "DAPO, arXiv:2503.14476",
    look: canFail,
  },
];

function frozen({ behavior: { testVersion } }: CheckInput): Found {
  const why = "scores on an unnamed set cannot be compared";
  const action = "name the test set, and give it a new name when its asks change";
  return { ok: Boolean(testVersion), value: testVersion || "unnamed", why, action };
}

function size({ behavior, versions, resolves }: CheckInput): Found {
  const n = behavior.n ?? versions[0]?.n ?? null;
  if (n === null) {
    return { ok: false, value: "n not declared", why: "nobody can say how wide its interval is", action: "declare n" };
  }
  const resolved = resolves === null ? "" : ` · resolves ≥ ${formatPoints(resolves)} pts`;
  const why = "a small set reads a real gain as no change";
  const action = n >= MIN_N ? "nothing to add" : `add ${MIN_N - n}+ tasks`;
  return { ok: n >= MIN_N, value: `n=${n}${resolved}`, why, action };
}

function judge({ behavior }: CheckInput): Found {
  if (behavior.gradedBy === "program") {
    return { ok: true, value: "graded by a program", why: "no grader is stronger", action: "nothing to check" };
  }
  const { agreement = null, humanN = null, verified = false } = behavior.judge ?? {};
  if (agreement === null) {
    const action = `check the judge against ${MIN_HUMAN_N}+ labels by people`;
    return { ok: false, value: "unmeasured", why: "a judge nobody checked may grade anything", action };
  }
  const value = `${formatFixed(agreement, 2)} on ${humanN ?? "?"}`;
  const few = (humanN ?? 0) < MIN_HUMAN_N;
  if (verified !== true) {
    const why = "the numbers were typed and not measured";
    return { ok: false, value: `${value} (declared, unverified)`, why, action: "measure the agreement and post that" };
  }
  if (agreement < MIN_AGREEMENT) {
    return {
      ok: false,
      value,
      why: "it disagrees with people too often",
      action: "take another judge, or mend its rubric",
    };
  }
  const action = few ? `label ${MIN_HUMAN_N - (humanN ?? 0)}+ more replies` : "nothing to add";
  return { ok: !few, value: few ? `${value} (few)` : value, why: "an agreement on few labels may be luck", action };
}

function length({ behavior }: CheckInput): Found {
  const r = behavior.judge?.lengthBias ?? null;
  const why = "the judge pays for words";
  const action = r === null ? "measure it when the judge is checked" : "penalize length, or take another judge";
  if (r === null) return { ok: null, value: "—", why, action };
  return { ok: Math.abs(r) <= MAX_LENGTH_BIAS, value: `r = ${formatFixed(r, 2)}`, why, action };
}

function noise({ behavior: { noiseFloor = null, noiseFloorAt = null }, versions, base }: CheckInput): Found {
  const why = "no gap can be told from a re-run";
  const action = "run one version again and measure the floor";
  if (noiseFloor === null) return { ok: false, value: "not measured", why, action };
  const measured = noiseFloorAt === null ? "" : ` at ${formatPoints(noiseFloorAt)}`;
  const floor = `±${formatPoints(noiseFloor)}${measured}`;
  if (base === null || versions.length < 2) return { ok: true, value: floor, why, action };
  const clear = versions.filter(({ v, score }) => v !== base.v && Math.abs(score - base.score) > noiseFloor).length;
  return { ok: true, value: `${floor} · ${clear} of ${versions.length - 1} clear it`, why, action };
}

function clean({ behavior: { contamination = null } }: CheckInput): Found {
  if (contamination === null) {
    const why = "tasks that leaked into training score too well";
    return { ok: false, value: "not checked", why, action: "check the test for leaks into training data" };
  }
  const value = contamination === 0 ? "0 found" : `${contamination} in training data`;
  return { ok: contamination === 0, value, why: "leaked tasks score too well", action: "drop the leaked tasks" };
}

function reward({ behavior: { rewardIsJudge = null } }: CheckInput): Found {
  const why = "a judge that is the reward cannot see the reward gamed";
  if (rewardIsJudge === null) {
    return { ok: false, value: "not declared", why, action: "say whether the training reward is this judge" };
  }
  const value = rewardIsJudge ? "same model" : "different";
  return { ok: !rewardIsJudge, value, why, action: "score with another model or a program" };
}

function canFail({ versions, base }: CheckInput): Found {
  const why = "a test that is passed already has nothing to show";
  const action = "add harder tasks";
  if (base === null) return { ok: null, value: "no score yet", why, action: "score a version" };
  const start = `${base.v} ${formatPoints(base.score)}`;
  if (base.score >= SATURATED) {
    return { ok: false, value: `${base.v} already ${formatPoints(base.score)}`, why, action };
  }
  if (versions.length < 2) return { ok: true, value: start, why, action };
  const best = Math.max(...versions.map(({ score }) => score));
  return { ok: true, value: `${start} → best ${formatPoints(best)}`, why, action };
}
