import { blockText, isObject, textOf } from "@while/schema";
import { calledSteps, type ToldAnswer, type ToldCall } from "../adapters/called-steps.ts";
import type { Agent, AgentReply } from "../agent/agent.ts";
import { type CommandOptions, commandAgent } from "./command-agent.ts";
import { cutResult } from "./cut-result.ts";
import { jsonLines } from "./json-lines.ts";

export interface ClaudeCodeOptions extends Pick<CommandOptions, "cwd" | "env" | "timeoutMs" | "modelVersion"> {
  model?: string;
  maxTurns?: number;
  /** More of its own flags: `["--allowedTools", "Read,Grep"]`. */
  args?: readonly string[];
  /** Its path, where it is not found by its name. */
  program?: string;
}

/**
 * Claude Code as an agent: `claude -p` with its stream of JSON. It works in `cwd` with the tools that its flags allow, and
 * what it does there is really done. Answers of its tools are kept up to 2000 characters.
 */
export function claudeCode({
  model,
  maxTurns,
  args = [],
  program = "claude",
  ...options
}: ClaudeCodeOptions = {}): Agent {
  const argv = [program, "-p", "--output-format", "stream-json", "--verbose"];
  if (model !== undefined) argv.push("--model", model);
  if (maxTurns !== undefined) argv.push("--max-turns", String(maxTurns));
  const modelVersion = options.modelVersion ?? (model === undefined ? "claude-code" : `claude-code:${model}`);
  return commandAgent([...argv, ...args], { ...options, modelVersion, parse: claudeCodeReply });
}

/**
 * What `claude -p --output-format stream-json` printed, as a reply.
 *
 * @throws Error when it says that it failed, without a word of its own
 */
export function claudeCodeReply(stdout: string): AgentReply {
  const calls: ToldCall[] = [];
  const answers: ToldAnswer[] = [];
  let said = "";
  let result: Record<string, unknown> | null = null;
  for (const event of jsonLines(stdout)) {
    if (event.type === "result") result = event;
    const blocks = isObject(event.message) && Array.isArray(event.message.content) ? event.message.content : [];
    let text = "";
    for (const block of blocks.filter(isObject)) {
      if (event.type === "assistant" && block.type === "text") {
        text = textOf(block.text);
        said = text;
      }
      if (event.type === "assistant" && block.type === "tool_use") {
        calls.push({ id: textOf(block.id), tool: textOf(block.name), given: block.input, text });
        text = "";
      }
      if (event.type === "user" && block.type === "tool_result") {
        const own = { id: textOf(block.tool_use_id), result: blockText(block.content) };
        answers.push(block.is_error === true ? { ...own, isError: true } : own);
      }
    }
  }
  const subtype = textOf(result?.subtype);
  const finalText = textOf(result?.result) || said;
  if (result?.is_error === true && finalText === "") throw new Error(`claude ended with ${subtype || "an error"}`);
  const usage = isObject(result?.usage) ? result.usage : {};
  const { input_tokens, output_tokens } = usage;
  return {
    final_text: finalText,
    steps: calledSteps(calls, answers).map(cutResult),
    ...(subtype === "error_max_turns" ? { ended_by: "max_turns" } : {}),
    ...(typeof input_tokens === "number" && typeof output_tokens === "number"
      ? { usage: { input_tokens, output_tokens } }
      : {}),
  };
}
