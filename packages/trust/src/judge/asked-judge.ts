import { cutCodePoints, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { Judge, JudgeContext, JudgeVerdict } from "./judge.ts";
import type { JudgeFailure } from "./judge-failure.ts";
import { type JudgePayloadOptions, renderJudgePayload } from "./judge-payload.ts";
import { delimited, judgeVersion, promptSha } from "./judge-prompt.ts";
import { type ModelCall, replyOf } from "./model-call.ts";
import { KEPT_RAW_CHARS } from "./normalize-judge-result.ts";

/** What a reply says, as its reader found it. */
export interface ReadVerdict {
  reward: number | null;
  reason: string;
  failure: JudgeFailure | null;
  /** What else of it is kept in `judge_meta`. */
  meta?: Record<string, unknown>;
}

/** One question about a record, and how its answer is read. */
export interface Question {
  system: string;
  /** For a provider that can hold a model to a form; the reader is as strict without it. */
  schema: Record<string, unknown>;
  payload: JudgePayloadOptions & { privileged: boolean; payloadChars: number };
  temperature: number;
  maxTokens: number;
  modelName: string | undefined;
  /** A line in front of the record; "" for none. */
  lead?: (row: Row) => string;
  nameOf: (modelName: string | undefined) => string;
  read: (text: string) => ReadVerdict;
}

/** A language model as a judge that is asked one question a row. */
export function askedJudge(model: ModelCall, question: Question): Judge {
  const { system, schema, payload, temperature, maxTokens, lead = () => "", read } = question;
  const modelName = question.modelName ?? model.modelName;
  const asks = (row: Row): string => {
    const first = lead(row);
    const record = delimited(renderJudgePayload(row, payload));
    return first === "" ? record : `${first}\n\n${record}`;
  };
  const about = {
    ...(modelName === undefined ? {} : { model: modelName }),
    ...{ prompt_sha: promptSha(system), temperature, max_tokens: maxTokens, payload_chars: payload.payloadChars },
    ...(payload.privileged ? { privileged: true } : {}),
  };
  const judge = async (row: Row, { signal }: JudgeContext = {}): Promise<JudgeVerdict> => {
    const reply = replyOf(
      await model(
        [
          { role: "system", content: system },
          { role: "user", content: asks(row) },
        ],
        { ...{ temperature, maxTokens, jsonSchema: schema }, ...(signal === undefined ? {} : { signal }) },
      ),
    );
    const { reward, reason, failure, meta = {} } = read(reply.text);
    const kept =
      failure === null ? {} : { failure: failureOfReply(failure, reply.finishReason), raw: rawOf(reply.text) };
    return { reward, reason, judge_meta: { ...about, ...meta, ...tokensOf(reply), ...kept } };
  };
  return Object.assign(judge, {
    kind: "judge" as const,
    judgeName: question.nameOf(modelName),
    reads: asks,
    ...(modelName === undefined ? {} : { model: modelName, version: versionOf(modelName, system, temperature) }),
  });
}

/** Of a judge's options what the record is shown with. */
export function shownOf({ policy, tools }: JudgePayloadOptions): JudgePayloadOptions {
  return { ...(policy === undefined ? {} : { policy }), ...(tools === undefined ? {} : { tools }) };
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
