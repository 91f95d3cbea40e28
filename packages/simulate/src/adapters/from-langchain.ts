import { blockText, textOf } from "@while/schema";
import type { Agent } from "../agent/agent.ts";
import { splitUserTurns } from "../agent/user-turns.ts";
import { calledSteps } from "./called-steps.ts";

/** `createAgent({…})` of LangChain, or a compiled graph of LangGraph whose state has `messages`. */
export interface LangChainAgent {
  invoke(
    // biome-ignore lint/suspicious/noExplicitAny: the input of a graph is as its author typed it, always with messages
    input: any,
    options?: { signal?: AbortSignal },
  ): PromiseLike<{ messages?: readonly unknown[] }>;
}

interface LangChainMessage {
  type?: string;
  getType?(): string;
  content?: unknown;
  tool_calls?: readonly { id?: string; name: string; args: unknown }[];
  invalid_tool_calls?: readonly { id?: string; name?: string; args?: string }[];
  tool_call_id?: string;
  status?: string;
  usage_metadata?: { input_tokens: number; output_tokens: number };
}

/** An agent of LangChain or LangGraph as an agent of `simulate`. Its tools are its own, and not the mock world's. */
export function fromLangChain(agent: LangChainAgent): Agent {
  return async function langChain(message, { signal }) {
    const asked = splitUserTurns(message).map((content) => ({ role: "user", content }));
    const { messages = [] } = await agent.invoke({ messages: asked }, { signal });
    const told = messages as readonly LangChainMessage[];
    const typeOf = (one: LangChainMessage): string => one.getType?.() ?? textOf(one.type);
    const own = told.filter((one) => typeOf(one) === "ai");
    const calls = own.flatMap(({ content, tool_calls = [], invalid_tool_calls = [] }) =>
      [
        ...tool_calls.map(({ id, name, args }) => ({ id: textOf(id), tool: name, given: args })),
        ...invalid_tool_calls.map(({ id, name, args }) => ({
          id: textOf(id),
          tool: textOf(name),
          given: textOf(args),
        })),
      ].map((call, at) => (at === 0 ? { ...call, text: blockText(content) } : call)),
    );
    const answers = told
      .filter((one) => typeOf(one) === "tool")
      .map(({ tool_call_id, content, status }) => ({
        id: textOf(tool_call_id),
        result: blockText(content),
        isError: status === "error",
      }));
    const uses = own.flatMap(({ usage_metadata }) => usage_metadata ?? []);
    return {
      final_text: blockText(own.at(-1)?.content),
      steps: calledSteps(calls, answers),
      ...(uses.length === 0
        ? {}
        : {
            usage: {
              input_tokens: uses.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
              output_tokens: uses.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
            },
          }),
    };
  };
}
