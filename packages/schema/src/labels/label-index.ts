import { sha1Hex } from "../hash/sha1.ts";
import { rowKey } from "../identity/row-key.ts";
import type { Row } from "../row.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { textOf } from "../text/text-of.ts";

/** How a label names its row. */
export interface LabelKey {
  /** As messages show it. */
  shown: string;
  key: string;
  /** The key is a prompt, which has a table of its own: a prompt may read like an id. */
  isPrompt: boolean;
}

/** Code points of a prompt that a message shows. */
const SHOWN_PROMPT = 60;

/**
 * The identity of a label record; the first present of `key`, `rollout_id`, `scenario_id` with `rollout_index`,
 * `prompt` (with `final_text` when given) and `scenario_id` alone. Null when it names no row. `task_id` stands in for
 * `scenario_id`, here and on rows.
 */
export function labelKeyOf(record: Record<string, unknown>): LabelKey | null {
  const named = (key: string): LabelKey => ({ shown: key, key, isPrompt: false });
  const id = textOf(record.key) || textOf(record.rollout_id);
  if (id !== "") return named(id);
  const task = textOf(record.scenario_id) || textOf(record.task_id);
  const index = textOf(record.rollout_index);
  if (task !== "" && index !== "") return named(`${task}#${index}`);
  const prompt = textOf(record.prompt);
  if (prompt !== "") {
    const shown = JSON.stringify(cutCodePoints(prompt, SHOWN_PROMPT));
    const reply = record.final_text;
    if (reply === undefined || reply === null) return { shown, key: prompt, isPrompt: true };
    return { shown, key: saidKey(prompt, textOf(reply)), isPrompt: false };
  }
  return task === "" ? null : named(task);
}

/** Which rows a key names. */
export class LabelIndex {
  readonly #rows = new Map<string, number[]>();
  readonly #prompts = new Map<string, number[]>();

  constructor(rows: readonly Row[]) {
    for (const [i, row] of rows.entries()) {
      for (const key of keysOf(row)) list(this.#rows, key, i);
      const prompt = textOf(row.prompt);
      if (prompt !== "") list(this.#prompts, prompt, i);
    }
  }

  /** Indexes of the rows that the key names, in order; more than one is ambiguous. */
  rowsOf({ key, isPrompt }: LabelKey): readonly number[] {
    return (isPrompt ? this.#prompts : this.#rows).get(key) ?? [];
  }
}

function keysOf(row: Row): Set<string> {
  const keys = new Set([rowKey(row), saidKey(textOf(row.prompt), textOf(row.final_text))]);
  const id = textOf(row.rollout_id);
  if (id !== "") keys.add(id);
  const index = textOf(row.rollout_index);
  for (const task of [textOf(row.scenario_id), textOf(row.task_id)]) {
    if (task === "") continue;
    keys.add(task);
    if (index !== "") keys.add(`${task}#${index}`);
  }
  return keys;
}

/** The row key of a row that has no id. */
function saidKey(prompt: string, reply: string): string {
  return sha1Hex(`${prompt}\u001f${reply}`).slice(0, 16);
}

function list(index: Map<string, number[]>, key: string, i: number): void {
  const rows = index.get(key);
  if (rows === undefined) index.set(key, [i]);
  else rows.push(i);
}
