import { TrustError } from "../trust-error.ts";
import { askedJudge, checkModel, type ReadVerdict, shownOf } from "./asked-judge.ts";
import type { Judge } from "./judge.ts";
import type { JudgeFailure } from "./judge-failure.ts";
import { checkPayloadOptions, JUDGE_PAYLOAD_CHARS, type JudgePayloadOptions } from "./judge-payload.ts";
import { JUDGE_KEY, RECORD_BOUNDARY } from "./judge-prompt.ts";
import { hasKeyTwice, lastObject, reasonIn, spokenPart } from "./judge-reply.ts";
import type { ModelCall } from "./model-call.ts";

/** A probability this near to 0.5 decides nothing. */
export const DECISION_UNSURE_BAND = 0.1;

const MAX_TOKENS = 160;

export interface DecisionJudgeOptions extends Omit<JudgePayloadOptions, "privileged"> {
  /** A question that is answered by yes or no; yes is the good outcome. */
  question: string;
  usePrivileged?: boolean;
  /** The frame of the question in other words, to see whether answers hang on them. */
  reworded?: boolean;
  /** The model's name, where the function does not say it. */
  modelName?: string;
  /** Name on the rows; without it `decision:<model>`. */
  name?: string;
  temperature?: number;
  maxTokens?: number;
}

const NAMES = ["question", "usePrivileged", "reworded", "modelName", "name", "temperature", "maxTokens"] as const;

const SCHEMA: Record<string, unknown> = {
  type: "object",
  properties: {
    reason: { type: "string" },
    decision: { type: "string", enum: ["yes", "no"] },
    probability: { type: "number", minimum: 0, maximum: 1 },
  },
  required: ["reason", "decision", "probability"],
  additionalProperties: false,
};

/**
 * A language model that answers one question about a row by yes or no and says how probable yes is: reward 1 or 0, with
 * `decision` and `confidence` (the probability of what it decided) in `judge_meta`, and `unsure` where the probability of
 * yes is 0.4 to 0.6. An unsure row keeps its verdict: read it first, or leave it out.
 *
 * A model's own probability is a mark and no measurement: whether it is right as often as it says is for labels to tell. An
 * answer that contradicts its probability is no verdict. The question is part of the judge's version.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export function decisionJudge(model: ModelCall, options: DecisionJudgeOptions): Judge {
  checkPayloadOptions(options, NAMES);
  const {
    question,
    usePrivileged = false,
    reworded = false,
    payloadChars = JUDGE_PAYLOAD_CHARS,
    temperature = 0,
  } = options;
  const { maxTokens = MAX_TOKENS } = options;
  checkModel(model, { temperature, maxTokens });
  if (typeof question !== "string" || question.trim() === "") {
    const what = `question is ${JSON.stringify(question)}.`;
    throw new TrustError("bad_option", what, "Ask something that is answered by yes or no, yes being good.");
  }
  return askedJudge(model, {
    ...{ system: promptFor(question.trim(), { usePrivileged, reworded }), schema: SCHEMA, temperature, maxTokens },
    ...{ payload: { ...shownOf(options), privileged: usePrivileged, payloadChars }, modelName: options.modelName },
    nameOf: (modelName) => options.name ?? `decision${modelName === undefined ? "" : `:${modelName}`}`,
    read: readDecision,
  });
}

function promptFor(
  question: string,
  { usePrivileged, reworded }: { usePrivileged: boolean; reworded: boolean },
): string {
  if (reworded) {
    return [
      RECORD_BOUNDARY,
      "Below is the record of an agent that worked for a user with tools, and one question about it. Only the record counts. tools_called holds the calls that took place; naming a call in the text is not making it. A long reply is no better than a short one.",
      ...(usePrivileged ? [JUDGE_KEY] : []),
      `The question: ${question}`,
      'Explain in one or two sentences, decide, and say how probable it is, between 0 and 1, that yes is right. Return a single JSON object with nothing around it: {"reason": "...", "decision": "no", "probability": 0.1} or {"reason": "...", "decision": "yes", "probability": 0.8}.',
    ].join("\n\n");
  }
  return [
    `You answer one question about what an agent with tools did for a user.\n\nQuestion: ${question}`,
    "Go by the record alone. tools_called are the calls that were really made; a call that is only named in prose was not made. Length does not matter.",
    ...(usePrivileged ? [JUDGE_KEY] : []),
    RECORD_BOUNDARY,
    'First write your reason in one or two sentences, then the decision, then the probability, from 0 to 1, that the right answer is yes. Answer with one JSON object and nothing else: {"reason": "...", "decision": "yes", "probability": 0.9} or {"reason": "...", "decision": "no", "probability": 0.2}.',
  ].join("\n\n");
}

/** Strict, as a score is read: the last object alone, both fields, and each in agreement with the other. */
function readDecision(reply: string): ReadVerdict {
  const text = spokenPart(reply);
  const found = text === "" ? null : lastObject(text);
  if (found === null) return { reward: null, reason: "", failure: text === "" ? "refusal" : "unreadable" };
  const reason = reasonIn(found.value);
  const none = (failure: JudgeFailure): ReadVerdict => ({ reward: null, reason, failure });
  if (hasKeyTwice(found.text)) return none("unreadable");
  const { decision, probability } = found.value;
  if (decision === undefined || probability === undefined) return none("no_reward");
  if ((decision !== "yes" && decision !== "no") || typeof probability !== "number") return none("unreadable");
  if (probability < 0 || probability > 1) return none("out_of_range");
  if (decision === "yes" ? probability < 0.5 : probability > 0.5) return none("unreadable");
  const unsure = Math.abs(probability - 0.5) <= DECISION_UNSURE_BAND;
  const confidence = decision === "yes" ? probability : 1 - probability;
  const meta = { decision, confidence, ...(unsure ? { unsure } : {}) };
  return { reward: decision === "yes" ? 1 : 0, reason, failure: null, meta };
}
