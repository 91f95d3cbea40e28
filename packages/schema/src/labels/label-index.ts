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

/**
 * Which rows a key names. Tables are made when the first label asks for them: among 200,000 rows a label by id takes
 * 0.6 s, and one by prompt and reply, for which every row is hashed, 3 to 4 s.
 */
export class LabelIndex {
  readonly #rows: readonly Row[];
  #ids: RowTable | undefined;
  #said: RowTable | undefined;
  #prompts: RowTable | undefined;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  /** Indexes of the rows that the key names, in order; more than one is ambiguous. */
  rowsOf({ key, isPrompt }: LabelKey): readonly number[] {
    if (isPrompt) {
      this.#prompts ??= tableOf(this.#rows, (row) => [textOf(row.prompt)]);
      return this.#prompts.get(key) ?? [];
    }
    this.#ids ??= tableOf(this.#rows, idsOf);
    const byId = this.#ids.get(key) ?? [];
    if (!SAID_KEY.test(key)) return byId;
    this.#said ??= tableOf(this.#rows, (row) => [saidKey(textOf(row.prompt), textOf(row.final_text))]);
    const bySaid = this.#said.get(key) ?? [];
    return byId.length === 0 ? bySaid : [...new Set([...byId, ...bySaid])].sort((i, j) => i - j);
  }
}

type RowTable = ReadonlyMap<string, readonly number[]>;

const SAID_KEY = /^[0-9a-f]{16}$/;

function tableOf(rows: readonly Row[], keysOf: (row: Row) => Iterable<string>): RowTable {
  const table = new Map<string, number[]>();
  for (const [i, row] of rows.entries()) {
    for (const key of keysOf(row)) {
      const listed = table.get(key);
      if (listed === undefined) table.set(key, [i]);
      else listed.push(i);
    }
  }
  return table;
}

function idsOf(row: Row): Set<string> {
  const ids = new Set<string>();
  const id = textOf(row.rollout_id);
  if (id !== "") ids.add(id);
  const index = textOf(row.rollout_index);
  for (const task of [textOf(row.scenario_id), textOf(row.task_id)]) {
    if (task === "") continue;
    ids.add(task);
    if (index !== "") ids.add(`${task}#${index}`);
  }
  return ids;
}

/** The row key of a row that has no id. */
function saidKey(prompt: string, reply: string): string {
  return rowKey({ prompt, final_text: reply });
}
