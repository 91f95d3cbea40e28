import { textOf } from "@while/schema";
import type { Agent } from "../agent/agent.ts";
import { calledSteps, type ToldAnswer } from "./called-steps.ts";
import { joinedTurns } from "./joined-turns.ts";

interface ContentPart {
  type: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: unknown;
  error?: unknown;
  text?: string;
}

/** What `generate` of an agent of the AI SDK (5 and 6) resolves to, as far as it is read. */
export interface AiSdkResult {
  text: string;
  finishReason?: string;
  steps: readonly { content: readonly unknown[] }[];
  totalUsage?: { inputTokens?: number | undefined; outputTokens?: number | undefined };
}

/** `new ToolLoopAgent({…})`, or `new Experimental_Agent({…})` of version 5. */
export interface AiSdkAgent {
  generate(options: { prompt: string; abortSignal?: AbortSignal }): PromiseLike<AiSdkResult>;
}

/** An agent of the AI SDK as an agent of `simulate`. Its tools are its own: they are called, and not the mock world's. */
export function fromAiSdk(agent: AiSdkAgent): Agent {
  return async function aiSdk(message, { signal }) {
    const { text, finishReason, steps, totalUsage } = await agent.generate({
      prompt: joinedTurns(message),
      abortSignal: signal,
    });
    const parts = steps.flatMap(({ content }) => content as readonly ContentPart[]);
    const calls = parts.filter(({ type }) => type === "tool-call");
    const answers = parts.filter(({ type }) => type === "tool-result" || type === "tool-error");
    const { inputTokens, outputTokens } = totalUsage ?? {};
    return {
      final_text: text,
      steps: calledSteps(
        calls.map(({ toolCallId, toolName, input }) => ({
          id: textOf(toolCallId),
          tool: textOf(toolName),
          given: input,
        })),
        answers.map(
          ({ type, toolCallId, output, error }): ToldAnswer =>
            type === "tool-error"
              ? { id: textOf(toolCallId), result: error, isError: true }
              : { id: textOf(toolCallId), result: output },
        ),
      ),
      ...(finishReason === "length" ? { finish_reason: "length" } : {}),
      ...(inputTokens === undefined || outputTokens === undefined
        ? {}
        : { usage: { input_tokens: inputTokens, output_tokens: outputTokens } }),
    };
  };
}
