import { blockText, isObject, type Message } from "@while/schema";

/** What a rollout begins with: a text, or the messages so far. */
export type MonitorPrompt = string | readonly Message[];

/** What the policy answered: a text, or the messages that it added. */
export type Completion = string | readonly Message[];

/** Rewards of completions, each with its prompt at the same place; what else the rows carry comes as lists by name. */
export type RewardFunction = (
  prompts: readonly MonitorPrompt[],
  completions: readonly Completion[],
  columns: Readonly<Record<string, readonly unknown[]>>,
) => readonly (number | null)[] | Promise<readonly (number | null)[]>;

/** The user's last words. */
export function askOf(prompt: MonitorPrompt): string {
  if (typeof prompt === "string") return prompt;
  return textOfLast(prompt, "user");
}

/** The agent's last words. */
export function replyOf(completion: Completion): string {
  return typeof completion === "string" ? completion : textOfLast(completion, "assistant");
}

/** The whole conversation. */
export function messagesOf(prompt: MonitorPrompt, completion: Completion): Message[] {
  return [...asMessages(prompt, "user"), ...asMessages(completion, "assistant")];
}

function asMessages(text: MonitorPrompt | Completion, role: string): Message[] {
  return typeof text === "string" ? [{ role, content: text }] : [...text];
}

function textOfLast(messages: readonly Message[], role: string): string {
  const last = messages.filter((message) => isObject(message) && message.role === role).at(-1);
  return last === undefined ? "" : blockText(last.content);
}
