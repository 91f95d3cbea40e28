import type { Row } from "@while/schema";
import { askedJudge, checkModel, shownOf } from "./asked-judge.ts";
import type { Judge, JudgeVerdict } from "./judge.ts";
import { checkPayloadOptions, JUDGE_PAYLOAD_CHARS, type JudgePayloadOptions } from "./judge-payload.ts";
import { type JudgePromptOptions, judgePrompt, plantedFaults } from "./judge-prompt.ts";
import { parseJudgeReply } from "./judge-reply.ts";
import type { ModelCall } from "./model-call.ts";

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

const NAMES = [
  ...["rubric", "prompt", "usePrivileged", "reworded"],
  ...["modelName", "name", "temperature", "maxTokens"],
] as const;

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
  const {
    prompt = "",
    rubric = "",
    usePrivileged = false,
    reworded = false,
    payloadChars = JUDGE_PAYLOAD_CHARS,
  } = options;
  const { temperature = JUDGE_TEMPERATURE, maxTokens = JUDGE_MAX_TOKENS } = options;
  checkModel(model, { temperature, maxTokens });
  return askedJudge(model, {
    ...{
      system: judgePrompt({ prompt, rubric, usePrivileged, reworded }),
      schema: VERDICT_SCHEMA,
      temperature,
      maxTokens,
    },
    ...{ payload: { ...shownOf(options), privileged: usePrivileged, payloadChars }, modelName: options.modelName },
    lead: prompt.trim() === "" ? plantedFaults : () => "",
    nameOf: (modelName) => options.name ?? nameOf(modelName, isFloor(options)),
    read: (text) => {
      const { score, ...rest } = parseJudgeReply(text);
      return { reward: score, ...rest };
    },
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

function isFloor({ rubric = "", prompt = "" }: LlmJudgeOptions): boolean {
  return rubric.trim() === "" && prompt.trim() === "";
}

function nameOf(modelName: string | undefined, floor: boolean): string {
  return `judge${modelName === undefined ? "" : `:${modelName}`}${floor ? ":conduct-floor" : ""}`;
}
