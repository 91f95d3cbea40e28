import { type Json, pyJson, toolFault } from "@while/schema";
import { withParts } from "./traced-chat.ts";
import { fail, INTERNAL, type TraceSpan, type Tracing, traced } from "./tracer.ts";

/** What a rollout is, to whoever reads its spans. */
interface TracedRollout {
  agent: string;
  scenarioId: string;
  model: string;
}

/** A try of a rollout within its span: `invoke_agent <agent>`. */
export async function tracedRollout<Result>(
  tracing: Tracing | null,
  { agent, scenarioId, model }: TracedRollout,
  work: (span: TraceSpan | null) => Promise<Result>,
): Promise<Result> {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": agent,
    "gen_ai.request.model": model,
    "test.case.name": scenarioId,
  };
  return await traced(tracing, `invoke_agent ${agent}`, { kind: INTERNAL, attributes }, work);
}

/** What a rollout came to. `id` names its conversation: the rollout's own, and one apart for a try that was lost. */
export function endRollout(
  span: TraceSpan,
  { content }: Tracing,
  { id, prompt, finalText, lost }: { id: string; prompt: string; finalText: string; lost: string | null },
): void {
  span.setAttribute("gen_ai.conversation.id", id);
  if (lost !== null) fail(span, lost, `lost: ${lost}`);
  if (!content) return;
  span.setAttribute("gen_ai.input.messages", JSON.stringify([withParts({ role: "user", content: prompt })]));
  if (finalText !== "") {
    span.setAttribute("gen_ai.output.messages", JSON.stringify([withParts({ role: "assistant", content: finalText })]));
  }
}

/** A call of a tool within its span: `execute_tool <tool>`. A fault is its error. */
export async function tracedTool(
  tracing: Tracing | null,
  { tool, given, id }: { tool: string; given: Readonly<Record<string, unknown>>; id: string | undefined },
  work: () => Promise<Json>,
): Promise<Json> {
  if (tracing === null) return await work();
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    ...(id === undefined ? {} : { "gen_ai.tool.call.id": id }),
    ...(tracing.content ? { "gen_ai.tool.call.arguments": pyJson(given, { ascii: false }) } : {}),
  };
  return await traced(tracing, `execute_tool ${tool}`, { kind: INTERNAL, attributes }, async (span) => {
    const result = await work();
    const fault = toolFault(result);
    if (fault !== "") {
      fail(span!, fault, fault);
      span!.setAttribute("whileai.fault", fault);
    }
    if (tracing.content) span!.setAttribute("gen_ai.tool.call.result", pyJson(result, { ascii: false }));
    return result;
  });
}
