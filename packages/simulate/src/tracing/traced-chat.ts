import { isObject } from "@while/schema";
import type { Model, ModelAnswer, ModelRequest, ModelTurn } from "../agent/model.ts";
import { CLIENT, type SpanAttribute, type Tracing, traced, traceparentOf } from "./tracer.ts";

/**
 * A call of a model within its span, by the GenAI conventions: `chat <model>`, with what was asked for, why it ended and
 * what it used. The messages are written down where content is, each call with all that it was sent.
 */
export async function tracedChat(tracing: Tracing | null, model: Model, request: ModelRequest): Promise<ModelAnswer> {
  if (tracing === null) return await model(request);
  const name = model.modelName || "model";
  const { messages, temperature, maxTokens, seed } = request;
  const attributes: Record<string, SpanAttribute> = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": name,
    ...(model.provider === undefined ? {} : { "gen_ai.provider.name": model.provider }),
    ...(temperature === undefined ? {} : { "gen_ai.request.temperature": temperature }),
    ...(maxTokens === undefined ? {} : { "gen_ai.request.max_tokens": maxTokens }),
    ...(seed === undefined ? {} : { "gen_ai.request.seed": seed }),
  };
  return await traced(tracing, `chat ${name}`, { kind: CLIENT, attributes }, async (span) => {
    const answer = await model({ ...request, traceparent: traceparentOf(span!) });
    const { inputTokens, outputTokens, finishReason = "stop", isReplayed } = answer;
    if (inputTokens !== undefined) span!.setAttribute("gen_ai.usage.input_tokens", inputTokens);
    if (outputTokens !== undefined) span!.setAttribute("gen_ai.usage.output_tokens", outputTokens);
    span!.setAttribute("gen_ai.response.finish_reasons", [finishReason]);
    if (isReplayed) span!.setAttribute("whileai.replayed", true);
    if (tracing.content) {
      const rules = messages.filter(({ role }) => role === "system");
      if (rules.length > 0) {
        const parts = rules.map(({ content }) => ({ type: "text", content }));
        span!.setAttribute("gen_ai.system_instructions", JSON.stringify(parts));
      }
      const said = messages.filter(({ role }) => role !== "system").map(withParts);
      span!.setAttribute("gen_ai.input.messages", JSON.stringify(said));
      const own = withParts({ role: "assistant", content: answer.text, tool_calls: answer.toolCalls ?? [] });
      span!.setAttribute("gen_ai.output.messages", JSON.stringify([{ ...own, finish_reason: finishReason }]));
    }
    return answer;
  });
}

/** A message in the parts of the GenAI conventions. */
export function withParts({ role, content, tool_calls = [], tool_call_id }: ModelTurn): {
  role: string;
  parts: object[];
} {
  if (role === "tool") {
    return { role, parts: [{ type: "tool_call_response", id: tool_call_id ?? "", response: jsonOr(content) }] };
  }
  const calls = tool_calls.map(({ id, name, arguments: given }) => ({
    type: "tool_call",
    id,
    name,
    arguments: jsonOr(given),
  }));
  return { role, parts: [...(content === "" ? [] : [{ type: "text", content }]), ...calls] };
}

/** The object that a text is the JSON of; any other text as it is. */
function jsonOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : text;
  } catch {
    return text; // Arguments that a model got wrong.
  }
}
