import { isObject, textOf } from "@while/schema";
import type { Agent } from "../agent/agent.ts";
import { calledSteps, type ToldAnswer, type ToldCall } from "./called-steps.ts";
import { joinedTurns } from "./joined-turns.ts";

/** What `run` of `@openai/agents` resolves to, as far as it is read. */
export interface OpenAiAgentsResult {
  finalOutput?: unknown;
  newItems: readonly unknown[];
  rawResponses?: readonly { usage?: { inputTokens: number; outputTokens: number } }[];
}

interface RunItem {
  type: string;
  rawItem?: { callId?: string; name?: string; arguments?: string };
  output?: unknown;
}

/**
 * An agent of the OpenAI Agents SDK as an agent of `simulate`. Its tools are its own: they are called, and not the mock
 * world's. The SDK tells a model of a failed tool in a sentence, which is the result here too.
 *
 * @param agent `new Agent({…})`
 * @param run Of `@openai/agents`, which this package does not import
 */
export function fromOpenAiAgents<Own>(
  agent: Own,
  run: (agent: Own, input: string, options: { signal: AbortSignal }) => PromiseLike<OpenAiAgentsResult>,
): Agent {
  return async function openAiAgents(message, { signal }) {
    const { finalOutput, newItems, rawResponses = [] } = await run(agent, joinedTurns(message), { signal });
    const items = newItems as readonly RunItem[];
    const calls = items.flatMap(({ type, rawItem }): ToldCall[] =>
      type === "tool_call_item" && rawItem !== undefined
        ? [{ id: textOf(rawItem.callId), tool: textOf(rawItem.name), given: rawItem.arguments }]
        : [],
    );
    const answers = items.flatMap(({ type, rawItem, output }): ToldAnswer[] =>
      type === "tool_call_output_item" ? [{ id: textOf(rawItem?.callId), result: output }] : [],
    );
    const uses = rawResponses.flatMap(({ usage }) => usage ?? []);
    return {
      final_text: isObject(finalOutput) ? JSON.stringify(finalOutput) : textOf(finalOutput),
      steps: calledSteps(calls, answers),
      ...(uses.length === 0
        ? {}
        : {
            usage: {
              input_tokens: uses.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
              output_tokens: uses.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
            },
          }),
    };
  };
}
