import { AGENT_ERROR_PREFIX, type Step, textOf } from "@while/schema";

const SAID: ReadonlySet<unknown> = new Set(["stop", "length", "tool", "error", "content_filter", "refusal"]);

/**
 * How a rollout ended: as the agent says, else `error` for one that raised, `length` where a step was cut, `tool` when it
 * ended on a call, and `stop`. `content_filter` and `refusal` are what a provider and a model say of themselves. Trainers mask `length`: a cut that is scored 0 teaches to think less.
 */
export function finishReason(said: unknown, steps: readonly Step[], finalText: string): string {
  if (SAID.has(said)) return said as string;
  if (finalText.trim().toLowerCase().startsWith(AGENT_ERROR_PREFIX)) return "error";
  if (steps.some(({ truncated }) => truncated === true)) return "length";
  return finalText.trim() === "" && textOf(steps.at(-1)?.tool) !== "" ? "tool" : "stop";
}
