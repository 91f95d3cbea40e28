import { cutCodePoints, isObject, type Row, splitWords, textOf } from "@while/schema";
import { checkModel, failureOfReply, rawOf, tokensOf, versionOf } from "../judge/asked-judge.ts";
import type { Judge, JudgeContext, JudgeVerdict } from "../judge/judge.ts";
import {
  checkPayloadOptions,
  JUDGE_PAYLOAD_CHARS,
  type JudgePayloadOptions,
  renderJudgePayload,
} from "../judge/judge-payload.ts";
import { delimited, promptSha, RECORD_BOUNDARY } from "../judge/judge-prompt.ts";
import { lastObject, spokenPart } from "../judge/judge-reply.ts";
import { type ModelCall, replyOf } from "../judge/model-call.ts";
import { type Rubric, rubricChecklist, rubricOf, rubricVersion } from "./rubric.ts";
import { scoreWithRubric } from "./score-with-rubric.ts";

const MIN_TOKENS = 400;
/** A title as a key with its answer. A fixed limit cuts off the answers to long rubrics. */
const TOKENS_PER_ITEM = 20;
const REASON_CHARS = 400;

/** What the rubric judge tells its model. */
export const RUBRIC_JUDGE_PROMPT: string = `You decide, item by item, whether what an agent with tools did meets a rubric.

For every item of the rubric answer true or false, under its number. A hard rule or a principle is true when it is met, a pitfall when it is exhibited. Judge only what the record shows: a claim that no tool returned meets nothing. tools_called are the calls that were really made, tools_not_called the ones that were not. To announce a call is not to make it. An item about using a tool needs that tool in tools_called; an item about leaving one alone needs it in tools_not_called.

Length must not move any item. Answer every item.

${RECORD_BOUNDARY}

Answer with one JSON object and nothing else: {"criteria": {"1": true, "2": false}, "reason": "one sentence"}.`;

/** The same in other words, to see whether verdicts hang on them. */
export const RUBRIC_JUDGE_PROMPT_REWORDED: string = `${RECORD_BOUNDARY}

Check a record of an agent's work for a user against the numbered items of a rubric, one by one.

Say true or false for each number: a hard rule or principle is true if the record satisfies it, a pitfall is true if the record shows it. Go by the record and nothing else. What the agent says it did counts only as far as a tool returned it. Calls in tools_called took place and those in tools_not_called did not, whatever the text announces: whether an item on using, or on not using, a tool is met is read off these two lists.

A longer reply meets no more items. Leave no number out.

Return a single JSON object with nothing around it: {"criteria": {"1": false, "2": true}, "reason": "one sentence"}.`;

export interface RubricJudgeOptions extends Omit<JudgePayloadOptions, "privileged"> {
  /** One for all rows; without it each row's own (`attachRubric`). */
  rubric?: Rubric;
  /** A system prompt of the caller's own. */
  prompt?: string;
  /** Items shown last one first, to see whether verdicts hang on their order. */
  reversed?: boolean;
  usePrivileged?: boolean;
  modelName?: string;
  name?: string;
  temperature?: number;
  /** Without it 400, and more for rubrics of over 20 items. */
  maxTokens?: number;
}

const NAMES = [
  "rubric",
  "prompt",
  "reversed",
  "usePrivileged",
  "modelName",
  "name",
  "temperature",
  "maxTokens",
] as const;

/**
 * A language model as a judge that goes through a checklist: it decides the items, and `scoreRubric` makes the reward of
 * them, so that a hard rule cannot be argued away and every item is a marker of its own (`rubric:<slug>`). Whether a tool
 * was called is told as a fact.
 *
 * Plain principles give fractions; agreement with labels counts 0 and 1 alone, so make what must hold `hard`. Lambert 2025,
 * Synthetic Data and Distillation; Bai et al. 2022, arXiv:2212.08073.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export function rubricJudge(model: ModelCall, options: RubricJudgeOptions = {}): Judge {
  checkPayloadOptions(options, NAMES);
  const { rubric: fixed, prompt = RUBRIC_JUDGE_PROMPT, usePrivileged = false, temperature = 0, maxTokens } = options;
  const { payloadChars = JUDGE_PAYLOAD_CHARS, reversed = false } = options;
  checkModel(model, { temperature, maxTokens: maxTokens ?? MIN_TOKENS });
  const modelName = options.modelName ?? model.modelName;
  const payload = {
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...{ privileged: usePrivileged, payloadChars },
  };
  const shownFor = (row: Row): Rubric | null => {
    const own = fixed ?? rubricOf(row);
    return own === null || !reversed ? own : { ...own, criteria: [...own.criteria].reverse() };
  };
  const asks = (row: Row): string => {
    const own = shownFor(row);
    if (own === null) return "";
    return `Rubric:\n${rubricChecklist(own)}\n\n${delimited(renderJudgePayload(row, payload))}`;
  };
  const about = {
    ...(modelName === undefined ? {} : { model: modelName }),
    ...{ prompt_sha: promptSha(prompt), temperature, payload_chars: payloadChars },
    ...(usePrivileged ? { privileged: true } : {}),
  };
  const judge = async (row: Row, { signal }: JudgeContext = {}): Promise<JudgeVerdict> => {
    const own = shownFor(row);
    if (own === null) return { reward: null, reason: "no rubric on the row" };
    const tokens = maxTokens ?? Math.max(MIN_TOKENS, TOKENS_PER_ITEM * own.criteria.length);
    const reply = replyOf(
      await model(
        [
          { role: "system", content: prompt },
          { role: "user", content: asks(row) },
        ],
        {
          ...{ temperature, maxTokens: tokens, jsonSchema: answerSchema(own) },
          ...(signal === undefined ? {} : { signal }),
        },
      ),
    );
    const meta = { ...about, max_tokens: tokens, ...tokensOf(reply) };
    const read = answersOf(reply.text);
    if ("failure" in read) {
      const failure = failureOfReply(read.failure, reply.finishReason);
      return { reward: null, reason: read.reason, judge_meta: { ...meta, failure, raw: rawOf(reply.text) } };
    }
    const verdict = scoreWithRubric(own, read.results, read.reason);
    const cut = verdict.reward === null ? { failure: failureOfReply("no_reward", reply.finishReason) } : {};
    return { ...verdict, judge_meta: { ...meta, ...cut } };
  };
  const parts = `${fixed === undefined ? "" : `|rubric:${rubricVersion(fixed)}`}${reversed ? "|reversed" : ""}`;
  const version = modelName === undefined ? undefined : versionOf(modelName, prompt, temperature, parts);
  return Object.assign(judge, {
    kind: "judge" as const,
    judgeName: options.name ?? version ?? "judge:rubric",
    reads: asks,
    ...(modelName === undefined ? {} : { model: modelName }),
    ...(version === undefined ? {} : { version }),
  });
}

type Answers =
  | { results: Record<string, unknown>; reason: string }
  | { failure: "unreadable" | "refusal" | "no_reward"; reason: string };

/** `criteria` as an object, or as a list of `{title, met}`. */
function answersOf(reply: string): Answers {
  const text = spokenPart(reply);
  if (text === "") return { failure: "refusal", reason: "the model said nothing" };
  const found = lastObject(text)?.value;
  if (found === undefined) return { failure: "unreadable", reason: "the reply holds no JSON object" };
  const reason = cutCodePoints(splitWords(textOf(found.reason)).join(" "), REASON_CHARS);
  const { criteria } = found;
  if (isObject(criteria)) return { results: criteria, reason };
  if (!Array.isArray(criteria)) return { failure: "no_reward", reason: reason || "the reply holds no criteria" };
  const listed = criteria.flatMap((item): [string, unknown][] =>
    isObject(item) ? [[textOf(item.title ?? item.number ?? item.id), item]] : [],
  );
  return { results: Object.fromEntries(listed), reason };
}

function answerSchema({ criteria }: Rubric): Record<string, unknown> {
  const numbers = criteria.map((_, i) => String(i + 1));
  return {
    type: "object",
    properties: {
      criteria: {
        type: "object",
        properties: Object.fromEntries(numbers.map((number) => [number, { type: "boolean" }])),
        ...{ required: numbers, additionalProperties: false },
      },
      reason: { type: "string" },
    },
    ...{ required: ["criteria", "reason"], additionalProperties: false },
  };
}
