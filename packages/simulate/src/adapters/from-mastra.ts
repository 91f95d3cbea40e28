import { textOf } from "@while/schema";
import type { Agent } from "../agent/agent.ts";
import { calledSteps } from "./called-steps.ts";
import { joinedTurns } from "./joined-turns.ts";

interface Payload {
  toolCallId?: string;
  toolName?: string;
  args?: unknown;
  result?: unknown;
  isError?: boolean;
}

/** What `generate` of an agent of Mastra resolves to, as far as it is read. */
export interface MastraResult {
  text: string;
  steps: readonly { toolCalls?: readonly unknown[]; toolResults?: readonly unknown[] }[];
  totalUsage?: { inputTokens?: number | undefined; outputTokens?: number | undefined };
}

/** `new Agent({…})` of `@mastra/core`. */
export interface MastraAgent {
  // biome-ignore lint/suspicious/noExplicitAny: options are as Mastra types them, with a type of each version's own
  generate(message: any, options?: any): PromiseLike<MastraResult>;
}

/** An agent of Mastra as an agent of `simulate`. Its tools are its own: they are called, and not the mock world's. */
export function fromMastra(agent: MastraAgent): Agent {
  return async function mastra(message, { signal }) {
    const { text, steps, totalUsage } = await agent.generate(joinedTurns(message), { abortSignal: signal });
    const payloads = (list: readonly unknown[] = []): Payload[] =>
      list.map((item) => ((item as { payload?: Payload }).payload ?? item) as Payload);
    const { inputTokens, outputTokens } = totalUsage ?? {};
    return {
      final_text: text,
      steps: calledSteps(
        steps.flatMap(({ toolCalls }) =>
          payloads(toolCalls).map(({ toolCallId, toolName, args }) => ({
            ...{ id: textOf(toolCallId), tool: textOf(toolName), given: args },
          })),
        ),
        steps.flatMap(({ toolResults }) =>
          payloads(toolResults).map(({ toolCallId, result, isError }) => ({
            ...{ id: textOf(toolCallId), isError: isError === true || isFailure(result) },
            result: isFailure(result) ? result.message : result,
          })),
        ),
      ),
      ...(inputTokens === undefined || outputTokens === undefined
        ? {}
        : { usage: { input_tokens: inputTokens, output_tokens: outputTokens } }),
    };
  };
}

/** How Mastra tells of a tool that threw: by its error, or by what JSON made of that. */
function isFailure(result: unknown): result is { message: string } {
  return result instanceof Error || (result as { code?: unknown } | null)?.code === "TOOL_EXECUTION_FAILED";
}
