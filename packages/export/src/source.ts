import { isObject, type Row, type RowSource, sha256Hex, type ToolSchema } from "@while/schema";
import { ExportError } from "./export-error.ts";

/** A run as the simulator returns it: rollouts, and the profile of the agent that made them. */
export interface RunSource {
  trajectories: readonly Row[];
  profile?: { policy?: string | null; tools?: readonly ToolSchema[] | null } | null;
}

/** Where rows come from: a selection, scored rows or a read file (`{rows, …}`), a run, or plain rows. */
export type Source = RowSource | RunSource | Iterable<Row>;

/** The rows of a source and what the rows themselves do not hold. */
export interface SourceParts<Rows> {
  rows: Rows;
  /** What the rows were selected for; only a selection says. */
  mode: string | null;
  rules: Rules;
  tools: readonly ToolSchema[] | null;
}

/** The rules that rows were made under. */
export interface Rules {
  /** The one set of rules of the whole source, and its sha. */
  text: string | null;
  sha: string | null;
  /** Rules by the sha that `lineage.system_prompt_sha` names. */
  bySha: ReadonlyMap<string, string>;
}

const NO_SHAS: ReadonlyMap<string, string> = new Map();

/** Takes a source apart. Rows that are an iterable stay one. */
export function sourceParts<Rows>(source: RowSource | RunSource | Rows): SourceParts<Rows | readonly Row[]> {
  if (isRun(source)) {
    const { profile } = source;
    return {
      rows: source.trajectories,
      mode: null,
      rules: rulesOf(profile?.policy ?? null),
      tools: profile?.tools ?? null,
    };
  }
  if (isRowSource(source)) {
    return {
      rows: source.rows,
      mode: source.mode ?? null,
      rules: rulesOf(source.systemPrompt ?? null, source.systemPrompts),
      tools: source.tools ?? null,
    };
  }
  return { rows: source as Rows, mode: null, rules: rulesOf(null), tools: null };
}

/** How `lineage.system_prompt_sha` spells rules: the first 16 hex digits of their SHA-256. */
export function rulesOf(text: string | null, bySha: ReadonlyMap<string, string> = NO_SHAS): Rules {
  return { text, sha: text === null ? null : sha256Hex(text).slice(0, 16), bySha };
}

/** @throws ExportError `invalid_option` for what is no list of rows */
export function checkRows(rows: unknown): asserts rows is Iterable<Row> {
  if (isObject(rows) && Symbol.iterator in rows) return;
  if (Array.isArray(rows)) return;
  throw new ExportError(
    "invalid_option",
    `The source is ${rows === null ? "null" : typeof rows} and not rows.`,
    "Give a list of rows, { rows, systemPrompt, tools }, or a run with trajectories; a path only to exportDataset.",
  );
}

function isRun(source: unknown): source is RunSource {
  return isObject(source) && Array.isArray(source.trajectories);
}

function isRowSource(source: unknown): source is RowSource {
  return isObject(source) && Array.isArray(source.rows);
}
