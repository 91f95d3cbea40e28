import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { Message, Step } from "../row.ts";

/** The tool by which a ReAct agent of tau-bench speaks to its user. */
const RESPOND = "respond";

/** How the answer of a tool begins when it comes back as a user's turn. */
const TOOL_ANSWER = /^API output:\s*/;

interface Action {
  name: string;
  arguments: Record<string, unknown>;
  /** What was said in front of it. */
  thought: string;
}

/**
 * The steps of an agent that has no tool calls and writes its actions as JSON into its turns ("Action: {…}"), with
 * the answers of tools as the user's next turns. Read as plain chat, such a rollout would use no tool at all.
 *
 * @returns null for a conversation with real tool calls, or without any such action
 */
export function reactSteps(messages: readonly Message[]): { prompt: string; steps: Step[]; final_text: string } | null {
  if (messages.some(({ tool_calls: calls }) => calls !== undefined && calls !== null)) return null;
  let prompt = "";
  let finalText = "";
  let nActions = 0;
  let waiting: Step | null = null;
  const steps: Step[] = [];
  for (const { role, content } of messages) {
    if (typeof content !== "string") continue;
    if (role === "user") {
      if (waiting !== null) {
        waiting.result = resultOf(content.replace(TOOL_ANSWER, ""));
        waiting = null;
      } else if (prompt === "") {
        prompt = content;
      } else {
        steps.push({ user: content });
      }
    } else if (role === "assistant") {
      const action = actionOf(content);
      if (action !== null) nActions++;
      if (action === null || action.name === RESPOND) {
        // What the user sees is the answer; the thought stays in `messages`.
        const said = action === null ? content : action.arguments.content;
        finalText = typeof said === "string" ? said : content;
        steps.push({ text: finalText });
      } else {
        waiting = { tool: action.name, arguments: action.arguments };
        if (action.thought !== "") waiting.text = action.thought;
        steps.push(waiting);
      }
    }
  }
  return nActions === 0 ? null : { prompt, steps, final_text: finalText };
}

function actionOf(text: string): Action | null {
  const marked = /(?:^|\n)\s*Action:\s*/.exec(text);
  const start = marked === null ? text.search(/\{/) : marked.index + marked[0].length;
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return null;
  let value: unknown;
  try {
    value = parseEmbeddedJson(text.slice(start, end + 1));
  } catch {
    return null; // Plain speech that has braces in it.
  }
  if (!isObject(value) || typeof value.name !== "string" || !isObject(value.arguments)) return null;
  const before = text.slice(0, marked === null ? start : marked.index);
  return { name: value.name, arguments: value.arguments, thought: before.replace(/^\s*Thought:\s*/, "").trim() };
}

/** As tool answers everywhere: JSON where it begins as JSON, else the text. */
function resultOf(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return parseEmbeddedJson(text);
  } catch {
    return text;
  }
}
