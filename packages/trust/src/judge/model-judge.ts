import type { Rubric } from "../rubric/rubric.ts";
import { RUBRIC_JUDGE_PROMPT_REWORDED, rubricJudge } from "../rubric/rubric-judge.ts";
import { TrustError } from "../trust-error.ts";
import { decisionJudge } from "./decision-judge.ts";
import type { Judge } from "./judge.ts";
import type { JudgePayloadOptions } from "./judge-payload.ts";
import { llmJudge } from "./llm-judge.ts";
import type { ModelCall } from "./model-call.ts";

export interface ModelJudgeOptions extends Omit<JudgePayloadOptions, "privileged"> {
  /** Prose, or a checklist of which every item is decided. Without it, and without a question, a floor of honesty. */
  rubric?: string | Rubric;
  /** In place of a rubric: a question that is answered by yes or no, with a probability. */
  question?: string;
  usePrivileged?: boolean;
  /** The model's name, where the function does not say it. */
  modelName?: string;
  temperature?: number;
  maxTokens?: number;
}

/**
 * The judge that `grade` makes of a model: `llmJudge` for prose or nothing, `rubricJudge` for a checklist, `decisionJudge` for
 * a question.
 *
 * @throws TrustError `bad_option` for a rubric and a question; `no_judge`
 */
export function modelJudge(model: ModelCall, options: ModelJudgeOptions = {}): Judge {
  return worded(model, options, {});
}

/**
 * The same judge, asked otherwise: `reworded`, its prompt in other words; `reversed`, a checklist last item first; `warm`, at
 * temperature 0.7. For `judgeTrust(rows, judge, { variants })`: a verdict that changes with these hangs on them and not on
 * the row.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export function judgeVariants(model: ModelCall, options: ModelJudgeOptions = {}): Record<string, Judge> {
  const hasItems = typeof options.rubric === "object";
  return {
    reworded: worded(model, options, { reworded: true }),
    ...(hasItems ? { reversed: worded(model, options, { reversed: true }) } : {}),
    warm: worded(model, { ...options, temperature: WARM }, {}),
  };
}

const WARM = 0.7;

function worded(
  model: ModelCall,
  { rubric, question, ...shown }: ModelJudgeOptions,
  { reworded = false, reversed = false }: { reworded?: boolean; reversed?: boolean },
): Judge {
  if (rubric !== undefined && question !== undefined) {
    throw new TrustError("bad_option", "The judge was given a rubric and a question.", "Give one of them.");
  }
  if (question !== undefined) return decisionJudge(model, { ...shown, question, reworded });
  if (rubric === undefined || typeof rubric === "string") {
    return llmJudge(model, { ...shown, ...(rubric === undefined ? {} : { rubric }), reworded });
  }
  return rubricJudge(model, {
    ...{ ...shown, rubric, reversed },
    ...(reworded ? { prompt: RUBRIC_JUDGE_PROMPT_REWORDED } : {}),
  });
}
