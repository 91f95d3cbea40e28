import { checkOptions, cutCodePoints, type Row, textOf } from "@while/schema";
import { checkModel, versionOf } from "../judge/asked-judge.ts";
import { type JudgePayloadOptions, renderJudgePayload } from "../judge/judge-payload.ts";
import { delimited, RECORD_BOUNDARY } from "../judge/judge-prompt.ts";
import { type ModelCall, replyOf } from "../judge/model-call.ts";
import { TrustError } from "../trust-error.ts";
import type { PairJudge } from "./judge-pairs.ts";

const REQUEST_CHARS = 4000;
const MAX_TOKENS = 200;

/** What the pairwise judge tells its model. */
export const PAIRWISE_PROMPT: string = `Two agents with tools answered one request. Decide which reply, A or B, is better.

Better is the one that serves the user more: it does what was asked, uses the tools it needs and uses them rightly, says what is true, and makes nothing up. tools_called are the calls that were really made; a call that is only announced is none. Of two replies that do the job, the shorter wins. Where neither is better, it is a tie. Which one is shown first says nothing.

${RECORD_BOUNDARY}

Answer with one JSON object and nothing else: {"reason": "one sentence", "winner": "A"}, or "B", or "tie".`;

export interface PairwiseJudgeOptions extends Omit<JudgePayloadOptions, "privileged"> {
  prompt?: string;
  modelName?: string;
  maxTokens?: number;
}

const WINNER_SCHEMA: Record<string, unknown> = {
  type: "object",
  properties: { reason: { type: "string" }, winner: { type: "string", enum: ["A", "B", "tie"] } },
  ...{ required: ["reason", "winner"], additionalProperties: false },
};

/**
 * A language model that says which of two replies is better, for `judgePairs`.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export function pairwiseJudge(model: ModelCall, options: PairwiseJudgeOptions = {}): PairJudge {
  const names = ["prompt", "modelName", "maxTokens", "policy", "tools", "payloadChars"];
  checkOptions(options, names, (what, fix) => new TrustError("bad_option", what, fix));
  const { prompt = PAIRWISE_PROMPT, modelName = model.modelName, maxTokens = MAX_TOKENS, ...shown } = options;
  checkModel(model, { temperature: 0, maxTokens });
  const payload = (row: Row): unknown => {
    // The request stands above both; each of them is its reply alone.
    const { situation: _asked, ...reply } = JSON.parse(renderJudgePayload(row, shown)) as Record<string, unknown>;
    return reply;
  };
  const judge: PairJudge = async (a, b, { signal, prompt: request }) => {
    const record = JSON.stringify({
      request: cutCodePoints(request || textOf(a.prompt), REQUEST_CHARS),
      ...{ A: payload(a), B: payload(b) },
    });
    const reply = await model(
      [
        { role: "system", content: prompt },
        { role: "user", content: delimited(record) },
      ],
      { temperature: 0, maxTokens, jsonSchema: WINNER_SCHEMA, signal },
    );
    return replyOf(reply).text;
  };
  const judgeName = modelName === undefined ? "pairwise" : `pairwise:${versionOf(modelName, prompt, 0)}`;
  return Object.assign(judge, { judgeName });
}
