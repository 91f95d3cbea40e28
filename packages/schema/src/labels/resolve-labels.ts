import { rowKey } from "../identity/row-key.ts";
import { isObject } from "../is-object.ts";
import { parseJsonl } from "../json/parse-jsonl.ts";
import { GOLD_KINDS, type Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { kindName } from "./gold-kind.ts";
import { LabelError } from "./label-error.ts";
import { LabelIndex, type LabelKey, labelKeyOf } from "./label-index.ts";

/** Label records, the JSONL text of them, or labels by the key of their row. */
export type Labels =
  | string
  | readonly Readonly<Record<string, unknown>>[]
  | ReadonlyMap<string, unknown>
  | Readonly<Record<string, unknown>>;

/** One record of them, as it came. */
export type GivenLabel = Readonly<Record<string, unknown>>;

const SHAPES =
  "Give records that name their row by key, rollout_id, scenario_id with rollout_index, or prompt, " +
  'as in {"key": "s1#0", "label": 1}, or an object of labels by key.';

/** What a key of a label may be, as messages say it. */
export const KEY_FORMS: string =
  "A key is a rollout_id, <scenario_id>#<rollout_index>, or a scenario_id or prompt that has one row; " +
  "records may hold these under their own names.";

/** Keys that a sentence names. */
export const NAMED = 3;

/** A label and the row it names. */
export interface LabelMatch<Value> {
  row: number;
  value: Value;
  record: GivenLabel;
}

export interface ResolvedLabels<Value> {
  matches: LabelMatch<Value>[];
  /** Keys that name no row. */
  unmatched: string[];
  /** What stood in place of a label. */
  invalid: unknown[];
}

/**
 * Finds the row of each label.
 *
 * @param read What a record says, or null where that is no label; the second is what to show of it then
 * @throws LabelError `label_ambiguous` when a key names several rows, `label_unmatched` when no label names any
 */
export function resolveLabels<Value>(
  rows: readonly Row[],
  records: readonly GivenLabel[],
  read: (record: GivenLabel) => readonly [value: Value | null, shown: unknown],
): ResolvedLabels<Value> {
  const index = new LabelIndex(rows);
  const found: ResolvedLabels<Value> = { matches: [], unmatched: [], invalid: [] };
  const ambiguous = new Map<string, readonly number[]>();
  for (const record of records) {
    const [value, shown] = read(record);
    if (value === null) {
      found.invalid.push(shown);
      continue;
    }
    const key: LabelKey | null = labelKeyOf(record);
    const named = key === null ? [] : index.rowsOf(key);
    if (named.length === 0) found.unmatched.push(key?.shown ?? "(no identity)");
    else if (named.length > 1) ambiguous.set(key!.shown, named);
    else found.matches.push({ row: named[0]!, value, record });
  }
  if (ambiguous.size > 0) throw ambiguousError(rows, ambiguous);
  if (found.unmatched.length > 0 && found.matches.length === 0) throw unmatchedError(rows, found.unmatched);
  return found;
}

/** @throws SchemaError `label_shape` for what is no record of a label */
export function recordsOf(labels: Labels): readonly GivenLabel[] {
  if (typeof labels === "string") return parseJsonl(labels, { file: "labels" }).rows;
  if (Array.isArray(labels)) {
    const stranger = labels.findIndex((item) => !isObject(item));
    if (stranger < 0) return labels;
    const item: unknown = labels[stranger];
    const type = Array.isArray(item) ? "list" : item === null ? "null" : typeof item;
    throw shapeError(`Label ${stranger} is a ${type}, ${JSON.stringify(item)}, and names no row.`);
  }
  if (!isObject(labels) && !(labels instanceof Map)) throw shapeError(`The labels are ${JSON.stringify(labels)}.`);
  const entries: Iterable<[string, unknown]> = labels instanceof Map ? labels : Object.entries(labels);
  return Array.from(entries, ([key, value]) => (isObject(value) ? { ...value, key } : { key, label: value }));
}

/** @throws SchemaError `label_kind` for a kind that is none of `GOLD_KINDS` */
export function checkKind(kind: unknown, name: string): void {
  if (typeof kind === "string" && GOLD_KINDS.includes(kindName(kind))) return;
  const given = `${name} is ${JSON.stringify(kind)}.`;
  throw new SchemaError("label_kind", given, `Give human, program (also called verifier) or model.`);
}

function shapeError(what: string): SchemaError {
  return new SchemaError("label_shape", what, SHAPES);
}

/** Two ways to be ambiguous want two different repairs. */
function ambiguousError(rows: readonly Row[], ambiguous: ReadonlyMap<string, readonly number[]>): LabelError {
  const several: string[] = [];
  const pooled: string[] = [];
  for (const [key, named] of ambiguous) {
    const spellings = [...new Set(named.map((row) => rowKey(rows[row]!)))];
    if (spellings.length === 1) pooled.push(`${key} (${named.length} rows)`);
    else several.push(`${key} (${firstOf(spellings)})`);
  }
  const whats: string[] = [];
  const fixes: string[] = [];
  if (several.length > 0) {
    whats.push(`of a task or prompt with several rollouts: ${firstOf(several)}`);
    fixes.push("Write <scenario_id>#<rollout_index> or a rollout_id for one of several rollouts.");
  }
  if (pooled.length > 0) {
    whats.push(`that rows of pooled runs share: ${firstOf(pooled)}`);
    fixes.push("Give every row of pooled runs its own rollout_id first (assignRolloutIds), and key on it.");
  }
  const n = ambiguous.size === 1 ? "1 key of the labels names" : `${ambiguous.size} keys of the labels name`;
  return new LabelError("label_ambiguous", `${n} more than one row, ${whats.join("; and ")}.`, fixes.join(" "), [
    ...ambiguous.keys(),
  ]);
}

function unmatchedError(rows: readonly Row[], unmatched: readonly string[]): LabelError {
  const carried = rows.slice(0, NAMED).map(rowKey).join(", ");
  const has =
    rows.length === 0 ? "There are no rows." : `The rows are called ${carried}${rows.length > NAMED ? ", …" : ""}.`;
  const n = unmatched.length === 1 ? "The label names" : `None of ${unmatched.length} labels names`;
  const what = `${n} ${unmatched.length === 1 ? "no row" : "a row"}: ${firstOf(unmatched)}. ${has}`;
  return new LabelError("label_unmatched", what, KEY_FORMS, unmatched);
}

/** The first few, and how many more. */
function firstOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return `${names.slice(0, NAMED).join(", ")}${more}`;
}

/** Neither absent nor null. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
