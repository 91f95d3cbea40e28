import { isObject, type Message, type Row, sha1Hex } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import { SelectError } from "../select-error.ts";
import type { MonitorPrompt } from "./reward-function.ts";

/** One prompt of the holdout, and what else its row carries for the scorers. */
export interface HoldoutPrompt {
  prompt: MonitorPrompt;
  taskId: string;
  columns: Readonly<Record<string, unknown>>;
}

/** What a scorer is given by other means, or that would give an answer away. */
const NOT_COLUMNS: ReadonlySet<string> = new Set([
  ...["prompt", "messages", "completion", "completions", "final_text"],
  // Written by the monitor on every rollout.
  ...["task_id", "rollout_index", "steps", "reward"],
]);

/**
 * The prompts of a holdout, `nPrompts` of them at most, in their order; rows without a prompt leave.
 *
 * @throws SelectError `bad_option` when none is left
 */
export function readHoldout(
  items: readonly (MonitorPrompt | Row)[],
  { nPrompts, seed }: { nPrompts: number; seed: number },
): HoldoutPrompt[] {
  const prompts = items.flatMap((item): HoldoutPrompt[] => {
    const prompt = promptOf(item);
    if (prompt === null) return [];
    return [{ prompt, taskId: promptId(prompt), columns: isRow(item) ? columnsOf(item) : {} }];
  });
  if (prompts.length === 0) {
    throw new SelectError(
      "bad_option",
      `None of ${items.length} entries of holdout has a prompt.`,
      "Pass texts, lists of messages, or rows with a prompt.",
    );
  }
  if (prompts.length <= nPrompts) return prompts;
  const places = new MersenneTwister(seed).shuffle([...prompts.keys()]).slice(0, nPrompts);
  return places.sort((a, b) => a - b).map((place) => prompts[place]!);
}

/** 16 hex digits of the SHA-1 of a prompt's text, or of its messages as JSON. */
export function promptId(prompt: MonitorPrompt): string {
  return sha1Hex(typeof prompt === "string" ? prompt : JSON.stringify(prompt)).slice(0, 16);
}

function promptOf(item: MonitorPrompt | Row): MonitorPrompt | null {
  const given: unknown = isRow(item) ? (item.prompt ?? item.messages) : item;
  if (typeof given === "string") return given.trim() === "" ? null : given;
  if (!Array.isArray(given)) return null;
  const messages = given.filter((message): message is Message => isObject(message));
  // Answers behind the last user turn are what the policy is asked for.
  const last = messages.findLastIndex(({ role }) => role === "user");
  return last < 0 ? null : messages.slice(0, last + 1);
}

function columnsOf(row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_COLUMNS.has(name)));
}

function isRow(item: MonitorPrompt | Row): item is Row {
  return isObject(item);
}
