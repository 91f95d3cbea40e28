import type { SourceObject } from "../json/record-reader.ts";
import { aiSdk } from "./ai-sdk.ts";
import { anthropic } from "./anthropic.ts";
import { anthropicBatch } from "./anthropic-batch.ts";
import { braintrust } from "./braintrust.ts";
import { deepEval } from "./deepeval.ts";
import type { Format } from "./format.ts";
import { inspectEval, inspectJson } from "./inspect-log.ts";
import { langfuse } from "./langfuse.ts";
import { langfuseTables } from "./langfuse-tables.ts";
import { lmEval } from "./lm-eval.ts";
import { loose } from "./loose.ts";
import { mlflow } from "./mlflow.ts";
import { openaiBatch } from "./openai-batch.ts";
import { openaiChat, openaiPreference } from "./openai-chat.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import { otlp } from "./otlp.ts";
import { promptfoo } from "./promptfoo.ts";
import { shareGpt } from "./sharegpt.ts";
import { tauBench } from "./tau-bench.ts";
import { tau2 } from "./tau2.ts";
import { kto, preference, promptCompletion, promptOnly, stepwise, trl } from "./trl.ts";
import { typed } from "./typed.ts";
import { verifiers } from "./verifiers.ts";
import { verifiersEpisodes } from "./verifiers-episodes.ts";
import { whileRows } from "./while.ts";

/** Every format, in the order in which their evidence is looked for: the first that claims a record has it. */
export const FORMATS: readonly Format[] = [
  inspectEval,
  otlp,
  openaiBatch,
  anthropicBatch,
  typed,
  inspectJson,
  tau2,
  tauBench,
  promptfoo,
  lmEval,
  verifiers,
  verifiersEpisodes,
  deepEval,
  braintrust,
  langfuse,
  langfuseTables,
  mlflow,
  shareGpt,
  openaiPreference,
  preference,
  stepwise,
  kto,
  aiSdk,
  anthropic,
  openaiResponses,
  openaiCompletions,
  whileRows,
  openaiChat,
  promptCompletion,
  promptOnly,
  trl,
  loose,
];

/** The format of one record. */
export function formatOf(record: SourceObject): Format {
  // Loose claims whatever is left.
  return FORMATS.find((format) => format.detect(record))!;
}

export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** Names of the formats that are read today. */
export function formatNames(): string[] {
  return FORMATS.filter((format) => format.open !== undefined)
    .map((format) => format.name)
    .sort();
}
