import { isObject } from "../is-object.ts";
import type { Row } from "../row.ts";
import { normText } from "../text/norm-text.ts";
import { pyJson } from "../text/python-json.ts";
import { privilegedTexts } from "./needles.ts";
import { type JsonPath, type ScrubRules, scrubBy } from "./scrub.ts";

export interface ScrubRowOptions {
  /** Remove blocked keys from tool arguments, results and schemas too, as the Python SDK does. */
  compat?: boolean;
  /**
   * Also empty texts that quote the privileged block, wherever they are not what a person or the agent said. Off by
   * default, because it edits evidence such as tool results.
   */
  deep?: boolean;
}

/** A row that may leave, and what was done to it. Paths read `steps[0].arguments.reference`. */
export interface ScrubbedRow {
  row: Row;
  /** Keys that were removed. */
  removed: string[];
  /** Keys of a blocked name that stayed, as arguments, results or schema properties of a tool. */
  kept: string[];
  /** Texts that were emptied, with `deep`. */
  emptied: string[];
}

/** Names that tools use as well: an argument called `reference` is part of what the agent did. */
const TOOL_WORDS: ReadonlySet<unknown> = new Set(["reference", "rubric", "principle"]);

/** What the user, the system and the agent said; if that quotes the block, `rowLeak` speaks and nothing is edited. */
const SPOKEN: ReadonlySet<unknown> = new Set(["prompt", "opener", "opening", "final_text", "system_prompt"]);

/**
 * The row without the teacher's context, and a report of what went.
 *
 * Blocked keys go at any depth, with one exception: inside the arguments, results and schemas of tools, the names
 * `reference`, `rubric` and `principle` stay unless their value is one of the row's own privileged block. Deleting an
 * innocent argument would change what the agent did. The row comes back as the same reference when nothing changed.
 */
export function scrubRow(row: Row, { compat = false, deep = false }: ScrubRowOptions = {}): ScrubbedRow {
  const report = { removed: [] as string[], kept: [] as string[], emptied: [] as string[] };
  const secrets = secretValues(row.privileged);
  const quotes = deep ? privilegedTexts(row.privileged) : [];
  const rules: ScrubRules = {
    keeps(path, value) {
      const stays = !compat && isToolWord(path) && !secrets.has(canonical(value));
      (stays ? report.kept : report.removed).push(pathText(path));
      return stays;
    },
    text(path, text) {
      if (quotes.length === 0 || isSpoken(row, path)) return text;
      const normal = normText(text);
      if (!quotes.some((quote) => normal.includes(quote))) return text;
      report.emptied.push(pathText(path));
      return "";
    },
  };
  return { row: scrubBy(rules, row, []) as Row, ...report };
}

function isToolWord(path: JsonPath): boolean {
  if (!TOOL_WORDS.has(path.at(-1))) return false;
  if (path[0] === "steps") return path[2] === "arguments" || path[2] === "result";
  if (path[0] === "messages") return path[2] === "tool_calls" && path.indexOf("arguments") > 2;
  return path[0] === "tools" && path.indexOf("parameters") > 0;
}

function isSpoken(row: Row, path: JsonPath): boolean {
  const [field, index, part] = path;
  if (SPOKEN.has(field)) return true;
  if (field === "steps") return part === "text" || part === "user";
  if (field !== "messages" || part !== "content") return false;
  const role = row.messages?.[Number(index)]?.role;
  return role !== "tool" && role !== "function";
}

/** Every value of the block, at any depth. */
function secretValues(block: unknown): Set<string> {
  const secrets = new Set<string>();
  const add = (value: unknown): void => {
    secrets.add(canonical(value));
    if (Array.isArray(value)) value.forEach(add);
    else if (isObject(value)) Object.values(value).forEach(add);
  };
  if (isObject(block)) Object.values(block).forEach(add);
  return secrets;
}

/** Equal for 42 and "42": the block and the call were often written by different programs. */
function canonical(value: unknown): string {
  return typeof value === "string" ? value : pyJson(value, { sortKeys: true });
}

function pathText(path: JsonPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
