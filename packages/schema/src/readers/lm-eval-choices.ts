import { textOf } from "../text/text-of.ts";
import { labelOf } from "./load-traces.ts";

/** One request to the model: a context with the settings of a generation, or with a continuation to be weighed. */
export interface LmEvalRequest {
  context: string;
  second: unknown;
}

/**
 * What a model "said" in a multiple choice: the continuation it finds likeliest, by the log-likelihoods of the
 * requests. Where the contexts differ and the continuation is one, the choice is in the context; the prompt is then
 * what the contexts share.
 */
export function chosenContinuation(
  requests: readonly LmEvalRequest[],
  filtered: unknown,
): { prompt: string; answer: string } {
  const likelihoods = Array.isArray(filtered) ? filtered.map(likelihoodOf) : [];
  let best = -1;
  for (let i = 0; i < requests.length; i++) {
    const at = likelihoods[i];
    if (at !== null && at !== undefined && (best < 0 || at > likelihoods[best]!)) best = i;
  }
  const contexts = requests.map(({ context }) => context);
  const prompt = sharedStart(contexts);
  const chosen = requests[best];
  if (chosen === undefined) return { prompt, answer: "" };
  return { prompt, answer: (chosen.context.slice(prompt.length) + textOf(chosen.second)).trim() };
}

/** `[-1.2, false]`, or the same as text. */
function likelihoodOf(response: unknown): number | null {
  const [value] = Array.isArray(response) ? response : [response];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return labelOf(number);
}

function sharedStart([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) {
    let at = 0;
    while (at < length && other[at] === first[at]) at++;
    length = at;
  }
  return first.slice(0, length);
}
