import { cutCodePoints, isObject, textOf } from "@while/schema";
import type { ModelCall, ModelCallOptions, ModelMessage, ModelReply } from "@while/trust";
import { CliError } from "../cli-error.ts";
import type { Io } from "./io.ts";

const OPENAI_URL = "https://api.openai.com/v1";
const MESSAGE_CHARS = 300;

/** A refused request, with what says whether it is worth another try. */
class ModelError extends Error {
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, retryAfterMs: number | undefined) {
    super(message);
    this.name = "ModelError";
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * A model behind a server that speaks OpenAI's Chat Completions: `OPENAI_BASE_URL` says where, `OPENAI_API_KEY` is sent
 * there and nowhere else, and is never printed.
 *
 * @throws CliError `no_key` for OpenAI itself without a key; `bad_flag` for an address that is none
 */
export function openAiModel(name: string, env: Io["env"]): ModelCall {
  const base = (env.OPENAI_BASE_URL || OPENAI_URL).replace(/\/+$/, "");
  const key = env.OPENAI_API_KEY;
  const isOpenAi = base === OPENAI_URL;
  if (!URL.canParse(base) || !/^https?:/.test(base)) {
    throw new CliError(
      "bad_flag",
      `OPENAI_BASE_URL is "${base}".`,
      "Set it to an address such as http://localhost:8000/v1.",
    );
  }
  if (isOpenAi && !key) {
    throw new CliError(
      "no_key",
      `--model openai:${name} needs a key, and OPENAI_API_KEY is not set.`,
      "Set it, or OPENAI_BASE_URL to a server of your own.",
    );
  }
  // Servers that know no form of answers refuse the request; they are asked without it from then on.
  let holdsToForms = true;
  const ask = async (messages: readonly ModelMessage[], options: ModelCallOptions): Promise<ModelReply> => {
    const { temperature, maxTokens, jsonSchema, signal } = options;
    const form =
      jsonSchema === undefined || !holdsToForms
        ? {}
        : {
            response_format: {
              type: "json_schema",
              json_schema: { name: "verdict", strict: true, schema: jsonSchema },
            },
          };
    const response = await fetch(`${base}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify({
        ...{ model: name, messages, ...form },
        ...(temperature === undefined ? {} : { temperature }),
        // OpenAI itself has a newer name that others do not all know.
        ...(maxTokens === undefined ? {} : { [isOpenAi ? "max_completion_tokens" : "max_tokens"]: maxTokens }),
      }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    if (response.ok) return replyOf(text, base);
    const said = errorOf(text);
    if (response.status === 400 && "response_format" in form && /response_format|json_schema/.test(said)) {
      holdsToForms = false;
      return await ask(messages, options);
    }
    throw new ModelError(response.status, `HTTP ${response.status}: ${said}`, retryAfterOf(response.headers));
  };
  return Object.assign((messages: readonly ModelMessage[], options: ModelCallOptions = {}) => ask(messages, options), {
    modelName: `openai:${name}`,
  });
}

function replyOf(text: string, base: string): ModelReply {
  const body = parsed(text);
  const choice: unknown = isObject(body) && Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isObject(choice) || !isObject(choice.message)) {
    const seen = JSON.stringify(cutCodePoints(text, 80));
    throw new Error(`${base} answered without choices: ${seen}`);
  }
  const { content, refusal } = choice.message;
  const usage = isObject(body) && isObject(body.usage) ? body.usage : {};
  const finish = textOf(refusal) === "" ? textOf(choice.finish_reason) : "refusal";
  return {
    text: textOf(content),
    ...(typeof usage.prompt_tokens === "number" ? { inputTokens: usage.prompt_tokens } : {}),
    ...(typeof usage.completion_tokens === "number" ? { outputTokens: usage.completion_tokens } : {}),
    ...(finish === "" ? {} : { finishReason: finish }),
  };
}

function errorOf(text: string): string {
  const body = parsed(text);
  const error = isObject(body) ? (body.error ?? body.message) : undefined;
  const message = isObject(error) ? textOf(error.message) : textOf(error);
  return cutCodePoints(message === "" ? text.trim() : message, MESSAGE_CHARS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A proxy's page; its text is shown.
  }
}

function retryAfterOf(headers: Headers): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(ms) ? ms : Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
