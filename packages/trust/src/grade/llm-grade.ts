import { checkOptions, isObject, type Row } from "@while/schema";
import { askedJudge, checkModel, type ReadVerdict, shownOf } from "../judge/asked-judge.ts";
import { checkPayloadOptions, JUDGE_PAYLOAD_CHARS, type JudgePayloadOptions } from "../judge/judge-payload.ts";
import { JUDGE_KEY, RECORD_BOUNDARY } from "../judge/judge-prompt.ts";
import { hasKeyTwice, lastObject, reasonIn, spokenPart } from "../judge/judge-reply.ts";
import type { ModelCall } from "../judge/model-call.ts";
import { type RunJudgeOptions, runJudge } from "../judge/run-judge.ts";
import type { ScoredReport } from "../judge/scored-rows.ts";
import { TrustError } from "../trust-error.ts";

const MAX_TOKENS = 120;
const CONCURRENCY = 16;
/** An opinion is not waited for as long as a verdict. */
const TIMEOUT_MS = 45_000;
const RETRIES = 3;
const SCORES: readonly unknown[] = [0, 0.5, 1];

const RUN_OPTIONS = ["concurrency", "timeoutMs", "retries", "backoffMs", "seed", "breakAfter", "signal", "onProgress"];
const OWN_OPTIONS = ["rubric", "usePrivileged", "modelName", "temperature", "maxTokens"] as const;

export interface LlmGradeOptions
  extends Omit<JudgePayloadOptions, "privileged">,
    Pick<RunJudgeOptions, "concurrency" | "timeoutMs" | "retries" | "backoffMs" | "seed" | "breakAfter">,
    Pick<RunJudgeOptions, "signal" | "onProgress"> {
  /** Prose that says what a good reply is. */
  rubric?: string;
  usePrivileged?: boolean;
  modelName?: string;
  temperature?: number;
  maxTokens?: number;
}

/** What the second opinion came to; next to the rows' own rewards where they are 0 or 1. */
export interface LlmGradeReport
  extends Pick<ScoredReport, "nRows" | "nNotRows" | "nGraded" | "nUnjudged" | "unjudgedBy" | "rewardDistribution">,
    Pick<ScoredReport, "judgeName" | "judgeVersion" | "nCalls" | "stopped"> {
  /** Rows whose reward is 0 or 1, and the opinion too. */
  nCompared: number;
  /** Of those, rows on which the two are opposed. */
  nDisagreements: number;
}

const SCHEMA: Record<string, unknown> = {
  type: "object",
  properties: { reason: { type: "string" }, score: { type: "number", enum: [0, 0.5, 1] } },
  required: ["reason", "score"],
  additionalProperties: false,
};

/**
 * A model's opinion of every row, beside its reward and never in its place: `llm_reward` (0, 0.5 or 1; null where the answer
 * could not be read) and `llm_reason`, on new rows. Any other number is null and not the nearest of the three. Nothing
 * selects or trains on an opinion; use `grade` where a model is to decide.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export async function llmGrade(
  rows: readonly Row[],
  model: ModelCall,
  options: LlmGradeOptions = {},
): Promise<{ rows: Row[]; report: LlmGradeReport }> {
  const known = [...OWN_OPTIONS, "policy", "tools", "payloadChars", ...RUN_OPTIONS];
  checkOptions(options, known, (what, fix) => new TrustError("bad_option", what, fix));
  const { rubric = "", usePrivileged = false, payloadChars = JUDGE_PAYLOAD_CHARS, temperature = 0 } = options;
  const { maxTokens = MAX_TOKENS, policy, tools, modelName, ...rest } = options;
  checkPayloadOptions({ payloadChars });
  checkModel(model, { temperature, maxTokens });
  const judge = askedJudge(model, {
    ...{ system: promptFor(rubric.trim(), usePrivileged), schema: SCHEMA, temperature, maxTokens, modelName },
    payload: { ...shownOf(options), privileged: usePrivileged, payloadChars },
    nameOf: (name) => (name === undefined ? "llm" : `llm:${name}`),
    read: readOpinion,
  });
  const given = Object.fromEntries(Object.entries(rest).filter(([name]) => RUN_OPTIONS.includes(name)));
  const scored = await runJudge(rows, judge, {
    ...{ concurrency: CONCURRENCY, timeoutMs: TIMEOUT_MS, retries: RETRIES },
    ...given,
  });
  const own = rows.filter((row) => isObject(row));
  const out = own.map((row, i): Row => {
    const { reward = null, reason = "" } = scored.rows[i]!;
    return { ...row, llm_reward: reward, llm_reason: reason };
  });
  const compared = out.filter(({ reward, llm_reward: opinion }) => isDecided(reward) && isDecided(opinion));
  const { nRows, nNotRows, nGraded, nUnjudged, unjudgedBy, rewardDistribution } = scored;
  const { judgeName, judgeVersion, nCalls, stopped } = scored;
  return {
    rows: out,
    report: {
      ...{ nRows, nNotRows, nGraded, nUnjudged, unjudgedBy, rewardDistribution },
      ...{ judgeName, judgeVersion, nCalls, stopped, nCompared: compared.length },
      nDisagreements: compared.filter(({ reward, llm_reward: opinion }) => reward !== opinion).length,
    },
  };
}

function isDecided(reward: unknown): boolean {
  return reward === 0 || reward === 1;
}

function promptFor(rubric: string, usePrivileged: boolean): string {
  return [
    "You give a second opinion on what an agent with tools did for a user: 1 when it did what was asked, 0.5 when it did a part of it or left doubt, 0 when it did not or claims what the record does not show.",
    ...(rubric === "" ? [] : [`A good reply is this:\n${rubric}`]),
    "Go by the record alone. tools_called are the calls that were really made; a call that is only named in prose was not made. Length does not matter.",
    ...(usePrivileged ? [JUDGE_KEY] : []),
    RECORD_BOUNDARY,
    'First write your reason in one or two sentences, then the score. Answer with one JSON object and nothing else: {"reason": "...", "score": 0.5}, where the score is 0, 0.5 or 1.',
  ].join("\n\n");
}

function readOpinion(reply: string): ReadVerdict {
  const text = spokenPart(reply);
  const found = text === "" ? null : lastObject(text);
  if (found === null) return { reward: null, reason: "", failure: text === "" ? "refusal" : "unreadable" };
  const reason = reasonIn(found.value);
  const { score } = found.value;
  if (hasKeyTwice(found.text)) return { reward: null, reason, failure: "unreadable" };
  if (SCORES.includes(score)) return { reward: score as number, reason, failure: null };
  const failure = typeof score === "number" ? "out_of_range" : score == null ? "no_reward" : "unreadable";
  return { reward: null, reason, failure };
}
