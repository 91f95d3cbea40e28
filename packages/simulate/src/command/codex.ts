import { isObject, type Json, type Step, textOf } from "@while/schema";
import type { Agent, AgentReply } from "../agent/agent.ts";
import { type CommandOptions, commandAgent } from "./command-agent.ts";
import { cutResult } from "./cut-result.ts";
import { jsonLines } from "./json-lines.ts";

export interface CodexOptions extends Pick<CommandOptions, "cwd" | "env" | "timeoutMs" | "modelVersion"> {
  model?: string;
  /** More of its own flags: `["--sandbox", "workspace-write"]`. */
  args?: readonly string[];
  /** Its path, where it is not found by its name. */
  program?: string;
}

/**
 * Codex as an agent: `codex exec --json`, which reads the message from its input. It works in `cwd` as its sandbox allows,
 * and what it does there is really done. Answers of its tools are kept up to 2000 characters.
 */
export function codex({ model, args = [], program = "codex", ...options }: CodexOptions = {}): Agent {
  const argv = [program, "exec", "--json", "--skip-git-repo-check"];
  if (model !== undefined) argv.push("--model", model);
  const modelVersion = options.modelVersion ?? (model === undefined ? "codex" : `codex:${model}`);
  return commandAgent([...argv, ...args, "-"], { ...options, modelVersion, parse: codexReply });
}

/**
 * What `codex exec --json` printed, as a reply.
 *
 * @throws Error when its turn failed
 */
export function codexReply(stdout: string): AgentReply {
  const steps: Step[] = [];
  let said = "";
  let usage: AgentReply["usage"];
  let failure: string | null = null;
  for (const { type, item, error, message, usage: used } of jsonLines(stdout)) {
    if (type === "item.completed" && isObject(item)) {
      if (item.type === "agent_message") said = textOf(item.text);
      const step = stepOf(item);
      if (step !== null) steps.push(cutResult(step));
    }
    if (type === "turn.failed") failure = isObject(error) ? textOf(error.message) : "the turn failed";
    if (type === "error") failure ??= textOf(message);
    if (type === "turn.completed" && isObject(used)) {
      const { input_tokens, output_tokens } = used;
      if (typeof input_tokens === "number" && typeof output_tokens === "number")
        usage = { input_tokens, output_tokens };
    }
  }
  if (failure !== null && said === "") throw new Error(`codex: ${failure}`);
  return { final_text: said, steps, ...(usage === undefined ? {} : { usage }) };
}

/** An item that is a call of a tool, by the names that its harness gives them. */
function stepOf(item: Record<string, unknown>): Step | null {
  const id = textOf(item.id);
  const named = id === "" ? {} : { id };
  switch (item.type) {
    case "command_execution": {
      const { exit_code, aggregated_output } = item;
      const output = textOf(aggregated_output);
      const failed = typeof exit_code === "number" && exit_code !== 0;
      const result = failed ? { status: `exit_${exit_code}`, output: output.slice(0, 2000) } : output;
      return { tool: "shell", arguments: { command: textOf(item.command) }, result, ...named };
    }
    case "file_change":
      return {
        ...{ tool: "apply_patch", arguments: { changes: (item.changes ?? []) as Json } },
        ...{ result: { status: textOf(item.status) }, ...named },
      };
    case "mcp_tool_call": {
      const given = isObject(item.arguments) ? (item.arguments as Record<string, Json>) : {};
      const failed = isObject(item.error) ? { status: "error", reason: textOf(item.error.message) } : null;
      const result = failed ?? ((item.result ?? { status: textOf(item.status) }) as Json);
      return { tool: `${textOf(item.server)}.${textOf(item.tool)}`, arguments: given, result, ...named };
    }
    case "web_search":
      return { tool: "web_search", arguments: { query: textOf(item.query) }, result: { status: "ok" }, ...named };
    default:
      return null;
  }
}
