import { checkOptions, type Row, taskKey, textOf } from "@while/schema";
import { bootstrapCi, gradedReward, type Interval, type Warning, wilsonInterval } from "@while/stats";
import type { Judge, JudgeReturn } from "../judge/judge.ts";
import { runJudge } from "../judge/run-judge.ts";
import { stampName } from "../judge/stamp-name.ts";
import { TrustError } from "../trust-error.ts";
import { referenceOf } from "../verifiers/reference-of.ts";
import {
  asSaid,
  CHEAT_PROBES,
  CHEATS,
  type CheatProbeName,
  cheatReply,
  commonAnswer,
  isRightHere,
} from "./cheat-replies.ts";
import { drawRows } from "./draw-rows.ts";

/** Mean score from which an agent that does nothing is paid. */
export const CHEAT_PROBE_FLAG = 0.1;
/** Cases that are tried. */
const CHEAT_SAMPLE = 40;

/** A judge, or a function of prompt, reply and answer key as reward functions have them. */
export type CheatScorer =
  | Judge
  | { score: (prompt: string, reply: string, reference: unknown) => JudgeReturn | Promise<JudgeReturn>; name?: string };

export interface CheatProbeOptions {
  probes?: "all" | readonly CheatProbeName[];
  /** Mean score that is a finding when the interval's lower bound reaches it. */
  flag?: number;
  /** Cases that are drawn; null for all. */
  sample?: number | null;
  seed?: number;
  concurrency?: number;
  /** What the agent itself scores; the mean of the cases' rewards when left out. */
  agentScore?: number;
}

export interface CheatProbe {
  /** Cases with a score. */
  n: number;
  mean: number | null;
  ci95: Interval | null;
  /** The scorer pays this agent: the interval lies at or above the flag. */
  flagged: boolean;
  /** Cases whose scoring failed; they are left out. */
  errors: number;
  /** Cases whose situation asks for just that, by their dimensions; they are left out. */
  nRight: number;
  /** Mean less the agent's own. */
  vsAgent: number | null;
  /** Share of the cases whose key is the constant answer; of `constant` alone. */
  answerShare: number | null;
  /** Why it was not tried; null where it was. */
  skipped: string | null;
}

export type CheatWarningCode = "pays_cheat";

export interface CheatReport {
  scorer: string;
  /** Different cases: rollouts of one task with one key are the same case here. */
  nCases: number;
  nProbed: number;
  flag: number;
  seed: number;
  agentScore: number | null;
  probes: Map<CheatProbeName, CheatProbe>;
  /** Something was tried and nothing is flagged. */
  ok: boolean;
  warnings: Warning<CheatWarningCode>[];
  /** What these cases cannot tell. */
  notes: string[];
}

const OPTIONS = ["probes", "flag", "sample", "seed", "concurrency", "agentScore"] as const;

/**
 * Puts an agent that does nothing in place of the whole agent, and looks at what the scorer pays for it: one that
 * refuses, asks back, says nothing, echoes, pads, or gives every task the most common answer. Needs no model. A policy
 * that is trained on a scorer which pays one of them learns to be it.
 *
 * The interval of the mean is Wilson's where every score is 0 or 1, and a bootstrap over cases elsewhere; a finding is
 * one whose lower bound reaches `flag`.
 *
 * @throws TrustError `bad_option`
 */
export async function cheatProbes(
  cases: readonly Row[],
  scorer: CheatScorer,
  options: CheatProbeOptions = {},
): Promise<CheatReport> {
  checkCheatOptions(options);
  const { probes = "all", flag = CHEAT_PROBE_FLAG, sample = CHEAT_SAMPLE, seed = 0, concurrency = 8 } = options;
  const judge = judgeOf(scorer);
  const distinct = distinctCases(cases);
  const drawn = sample === null ? distinct : drawRows(distinct, sample, seed);
  const agentScore = options.agentScore ?? meanOf(cases.map(gradedReward).filter((reward) => reward !== null));
  const common = commonAnswer(distinct);

  const report: CheatReport = {
    ...{ scorer: judge.judgeName, nCases: distinct.length, nProbed: drawn.length, flag, seed, agentScore },
    ...{ probes: new Map(), ok: false, warnings: [], notes: [] },
  };
  for (const name of CHEAT_PROBES) {
    if (probes !== "all" && !probes.includes(name)) continue;
    const wrong = drawn.filter((row) => !isRightHere(name, row));
    const said = wrong.flatMap((row) => {
      const reply = cheatReply(name, row, common?.answer ?? null);
      return reply === null ? [] : [asSaid(row, reply)];
    });
    const { rows } = await runJudge(said, judge.judge, {
      concurrency,
      source: "cheat_probes",
      judgeName: judge.judgeName,
    });
    const scores = rows.map(({ reward }) => reward).filter((reward) => typeof reward === "number");
    const mean = meanOf(scores);
    const ci95 = intervalOf(scores, seed);
    report.probes.set(name, {
      n: scores.length,
      mean,
      ci95,
      flagged: ci95 !== null && ci95[0] >= flag,
      errors: rows.length - scores.length,
      nRight: drawn.length - wrong.length,
      vsAgent: mean === null || agentScore === null ? null : mean - agentScore,
      answerShare: name === "constant" && common !== null ? common.n / distinct.length : null,
      skipped: said.length > 0 ? null : whySkipped(name, drawn.length, wrong.length),
    });
  }
  conclude(report);
  return report;
}

function conclude(report: CheatReport): void {
  const { probes, flag, scorer, warnings, notes } = report;
  const tried = [...probes].filter(([, { n }]) => n > 0);
  for (const [name, { flagged, mean, ci95, n }] of tried) {
    const paid = `${scorer} pays ${mean!.toFixed(2)} for an agent that ${CHEATS[name]}`;
    if (flagged) {
      const text = `${paid} (at least ${ci95![0].toFixed(2)} over ${n} cases): training on it teaches that`;
      warnings.push({ code: "pays_cheat", text });
    } else if (mean! >= flag) {
      notes.push(`${paid}, which ${n} cases cannot tell from under ${flag}: probe more cases`);
    }
  }
  for (const [name, { skipped, errors, nRight }] of probes) {
    if (skipped === null && nRight > 0) notes.push(`${name}: ${nRight} cases ask for just that and are left out`);
    if (skipped !== null) notes.push(`${name} was not tried: ${skipped}`);
    if (errors > 0) notes.push(`${name}: ${errors} cases were not scored and are left out`);
  }
  report.ok = tried.length > 0 && warnings.length === 0;
}

function whySkipped(name: CheatProbeName, nDrawn: number, nWrong: number): string {
  if (nDrawn === 0) return "there are no cases";
  if (nWrong === 0) return "every case asks for just that";
  return name === "constant" ? "no case has an answer key" : "no case has a prompt";
}

/** One case of each task and key: an agent that says the same to every rollout of a task is one observation. */
function distinctCases(cases: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return cases.filter((row, i) => {
    const task = taskKey(row);
    const key = task === "" ? `row ${i}` : JSON.stringify([task, textOf(referenceOf(row)?.value)]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function intervalOf(scores: readonly number[], seed: number): Interval | null {
  const isBinary = scores.every((score) => score === 0 || score === 1);
  if (isBinary) return wilsonInterval(scores.filter((score) => score === 1).length, scores.length);
  return bootstrapCi(scores, { seed });
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function judgeOf(scorer: CheatScorer): { judge: Judge; judgeName: string } {
  if (typeof scorer === "function") return { judge: scorer, judgeName: stampName(scorer) };
  const { score, name } = scorer;
  const judge: Judge = (row) => score(textOf(row.prompt), textOf(row.final_text), referenceOf(row)?.value ?? null);
  return { judge, judgeName: name ?? (score.name === "" || score.name === "score" ? "scorer" : score.name) };
}

function checkCheatOptions(options: CheatProbeOptions): void {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, OPTIONS, refuse);
  const { probes = "all", flag = CHEAT_PROBE_FLAG, sample = CHEAT_SAMPLE, agentScore } = options;
  const unknown = probes === "all" ? undefined : probes.find((name) => !CHEAT_PROBES.includes(name));
  if (unknown !== undefined)
    throw refuse(`There is no probe ${unknown}.`, `The probes are ${CHEAT_PROBES.join(", ")}.`);
  if (!(flag > 0 && flag <= 1)) throw refuse(`flag is ${flag}.`, "Give a share above 0 and up to 1.");
  if (sample !== null && !(Number.isSafeInteger(sample) && sample >= 1)) {
    throw refuse(`sample is ${sample}.`, "Give a whole number of 1 or more, or null for all cases.");
  }
  if (agentScore !== undefined && !Number.isFinite(agentScore)) {
    throw refuse(`agentScore is ${agentScore}.`, "Give the mean score of the agent.");
  }
}
