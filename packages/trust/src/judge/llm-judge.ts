import { cutCodePoints, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { Judge, JudgeContext, JudgeVerdict } from "./judge.ts";
import {
  checkPayloadOptions,
  JUDGE_PAYLOAD_CHARS,
  type JudgePayloadOptions,
  renderJudgePayload,
} from "./judge-payload.ts";
import {
  delimited,
  type JudgePromptOptions,
  judgePrompt,
  judgeVersion,
  plantedFaults,
  promptSha,
} from "./judge-prompt.ts";
import { parseJudgeReply } from "./judge-reply.ts";
import { type ModelCall, type ModelMessage, replyOf } from "./model-call.ts";
import { KEPT_RAW_CHARS } from "./normalize-judge-result.ts";

const JUDGE_TEMPERATURE = 0;
const JUDGE_MAX_TOKENS = 120;

export interface LlmJudgeOptions extends JudgePromptOptions, Omit<JudgePayloadOptions, "privileged"> {
  /** The model's name, where the function does not say it. */
  modelName?: string;
  /** Name on the rows; without it `judge:<model>`. */
  name?: string;
  temperature?: number;
  maxTokens?: number;
}

const NAMES = ["rubric", "prompt", "usePrivileged", "modelName", "name", "temperature", "maxTokens"] as const;

/** For a provider that can hold a model to a form. The parser is as strict without it. */
const VERDICT_SCHEMA: Record<string, unknown> = {
  type: "object",
  properties: { reason: { type: "string" }, score: { type: "integer", enum: [0, 1] } },
  required: ["reason", "score"],
  additionalProperties: false,
};

/**
 * A language model as a judge: one request a row, at temperature 0, with the record as JSON between marked lines, and an
 * answer of 0 or 1 that is read strictly. Without a rubric it is a floor of honesty: nothing claimed that no tool returned,
 * nothing done on made-up data.
 *
 * An answer that cannot be read leaves the row without a reward and keeps its text as `judge_meta.raw`. Measure the judge
 * against labels before its rewards are trained on.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export function llmJudge(model: ModelCall, options: LlmJudgeOptions = {}): Judge {
  checkPayloadOptions(options, NAMES);
  const { prompt = "", rubric = "", usePrivileged = false, payloadChars = JUDGE_PAYLOAD_CHARS } = options;
  const { temperature = JUDGE_TEMPERATURE, maxTokens = JUDGE_MAX_TOKENS } = options;
  checkModel(model, { temperature, maxTokens });
  const system = judgePrompt({ prompt, rubric, usePrivileged });
  const modelName = options.modelName ?? model.modelName;
  const payload = {
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...{ privileged: usePrivileged, payloadChars },
  };
  const asks = (row: Row): string => {
    const lead = prompt.trim() === "" ? plantedFaults(row) : "";
    const record = delimited(renderJudgePayload(row, payload));
    return lead === "" ? record : `${lead}\n\n${record}`;
  };
  const about = {
    ...(modelName === undefined ? {} : { model: modelName }),
    ...{ prompt_sha: promptSha(system), temperature, max_tokens: maxTokens, payload_chars: payloadChars },
    ...(usePrivileged ? { privileged: true } : {}),
  };
  const judge = async (row: Row, { signal }: JudgeContext = {}): Promise<JudgeVerdict> => {
    const messages: ModelMessage[] = [
      { role: "system", content: system },
      { role: "user", content: asks(row) },
    ];
    const reply = replyOf(
      await model(messages, {
        ...{ temperature, maxTokens, jsonSchema: VERDICT_SCHEMA },
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    const { score, reason, failure } = parseJudgeReply(reply.text);
    const kept =
      failure === null ? {} : { failure: failureOfReply(failure, reply.finishReason), raw: rawOf(reply.text) };
    return { reward: score, reason, judge_meta: { ...about, ...tokensOf(reply), ...kept } };
  };
  return Object.assign(judge, {
    kind: "judge" as const,
    judgeName: options.name ?? nameOf(modelName, isFloor(options)),
    reads: asks,
    ...(modelName === undefined ? {} : { model: modelName, version: versionOf(modelName, system, temperature) }),
  });
}

/** One row, one request. For many rows `runJudge` has time limits and further tries. */
export async function gradeOne(
  row: Row,
  model: ModelCall,
  options: LlmJudgeOptions = {},
): Promise<{ reward: 0 | 1 | null; reason: string }> {
  const { reward, reason = "" } = (await llmJudge(model, options)(row)) as JudgeVerdict;
  return { reward: reward as 0 | 1 | null, reason };
}

/** @throws TrustError `no_judge`, `bad_option` */
export function checkModel(
  model: ModelCall,
  { temperature, maxTokens }: { temperature: number; maxTokens: number },
): void {
  if (typeof model !== "function") {
    throw new TrustError(
      "no_judge",
      `The model is ${JSON.stringify(model)}.`,
      "Pass a function from messages to a reply.",
    );
  }
  if (!(temperature >= 0 && Number.isFinite(temperature))) {
    throw new TrustError("bad_option", `temperature is ${temperature}.`, "Pass a number of 0 or more.");
  }
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw new TrustError("bad_option", `maxTokens is ${maxTokens}.`, "Pass a whole number of 1 or more.");
  }
}

/** A judge's version, with the temperature where it is not 0: it changes what the judge says. */
export function versionOf(modelName: string, system: string, temperature: number, more = ""): string {
  const warm = temperature === 0 ? "" : `|temperature:${temperature}`;
  return judgeVersion(modelName, `${system}${warm}${more}`);
}

/** What a model server counted, as it lands in `judge_meta`. */
export function tokensOf({ inputTokens, outputTokens }: { inputTokens?: number; outputTokens?: number }): object {
  return {
    ...(inputTokens === undefined ? {} : { input_tokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { output_tokens: outputTokens }),
  };
}

export function rawOf(text: string): string {
  return cutCodePoints(text, KEPT_RAW_CHARS);
}

/** What the provider says of the end of a reply explains it better than its text. */
export function failureOfReply(failure: string, finishReason: string | undefined): string {
  if (finishReason === "length" || finishReason === "max_tokens") return "truncated";
  return finishReason === "content_filter" || finishReason === "refusal" ? "refusal" : failure;
}

function isFloor({ rubric = "", prompt = "" }: LlmJudgeOptions): boolean {
  return rubric.trim() === "" && prompt.trim() === "";
}

function nameOf(modelName: string | undefined, floor: boolean): string {
  return `judge${modelName === undefined ? "" : `:${modelName}`}${floor ? ":conduct-floor" : ""}`;
}
