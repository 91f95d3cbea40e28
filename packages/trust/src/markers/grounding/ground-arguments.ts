import { checkOptions, codePointLength, normText, type Row } from "@while/schema";
import { TrustError } from "../../trust-error.ts";
import { checkMarkerRules, type MarkerRules } from "../marker-rules.ts";
import { findsFiles, isComposed, isPath, isSearch, makesFile } from "./argument-keys.ts";
import { argumentLeaves, collapsed } from "./argument-leaves.ts";
import { callTimeline, type TimedCall } from "./call-timeline.ts";
import { ContextText } from "./context-text.ts";
import { type Ground, type Grounded, groundNumber, groundText, isChecked, type NumberCheck } from "./ground-value.ts";
import { schemaValues } from "./schema-values.ts";

export interface GroundingOptions {
  /** Keys, or paths such as `flights.*.note`, whose values are not checked. */
  ignoreKeys?: readonly string[];
  /** Values that need no ground. */
  allow?: readonly string[];
  /** Fewest code points of a text that is checked: one or two stand in any context. */
  minLen?: number;
  /** Numbers that are checked. */
  numbers?: NumberCheck;
  /** Other words for a value: `{ "CGN": ["Cologne"] }`. */
  aliases?: Readonly<Record<string, readonly string[]>>;
  rules?: MarkerRules;
}

/** One checked argument, and where its value comes from. */
export interface ArgumentSource {
  tool: string;
  /** Path of the argument, positions of lists as numbers. */
  key: string;
  value: string | number;
  /** null for a value that comes from nowhere. */
  grounded: Grounded | null;
  /** Times the same value came again in later calls: a second use of one invention, not a second one. */
  repeats: number;
}

/** The arguments of a row, checked. */
export interface GroundedRow {
  nCalls: number;
  checked: ArgumentSource[];
  /** `tool.key` of parameters that hold text of the agent's own, and were not checked. */
  freeText: string[];
  /** Arguments lay too deep, or were too many. */
  cut: boolean;
}

/** Words on average from which a parameter holds free text. */
const FREE_TEXT_WORDS = 8;

const GROUNDING_OPTIONS: readonly string[] = ["ignoreKeys", "allow", "minLen", "numbers", "aliases", "rules"];

/** Checks rows one by one; made once for many. @throws TrustError `bad_option` */
export function groundingReader(options: GroundingOptions = {}): (row: Row) => GroundedRow {
  checkOptions(options, GROUNDING_OPTIONS, (what, fix) => new TrustError("bad_option", what, fix));
  const { ignoreKeys = [], allow = [], minLen = 3, numbers = "ids", aliases = {}, rules = "v2" } = options;
  checkMarkerRules(rules);
  if (!(Number.isInteger(minLen) && minLen >= 1)) {
    throw new TrustError("bad_option", `minLen is ${minLen}.`, "Give a whole number of 1 or more.");
  }
  if (!["ids", "all", "off"].includes(numbers)) {
    throw new TrustError("bad_option", `numbers is "${numbers}".`, 'Give "ids", "all" or "off".');
  }
  const isIgnored = ignoreRule(ignoreKeys, rules);
  const allowed = new Set(allow.map(normText));
  const others = new Map(Object.entries(aliases).map(([value, names]) => [normText(value), names]));
  return (row) => {
    const { pieces, calls } = callTimeline(row);
    const report: GroundedRow = { nCalls: calls.length, checked: [], freeText: [], cut: false };
    if (calls.length === 0) return report;
    const context = new ContextText(pieces);
    const found: ArgumentSource[] = [];
    const ownFiles = new Set<string>();
    const freeText = rules === "v1" ? new Set<string>() : freeTextOf(calls);
    const skipped = new Set<string>();
    for (const call of calls) {
      const { leaves, cut } = argumentLeaves(call.arguments);
      if (cut) report.cut = true;
      for (const { path, value } of leaves) {
        if (isIgnored(path)) continue;
        const key = path.join(".");
        const ground: Ground = { context, nPieces: call.nPieces, tool: call.tool, path, aliases: others };
        if (typeof value === "number" && Number.isFinite(value)) {
          if (rules === "v1" || !isChecked(value, path, numbers) || allowed.has(String(value))) continue;
          const grounded = schemaValues(row, call.tool, path).includes(value)
            ? ({ how: "schema", source: "" } as const)
            : groundNumber(value, ground);
          found.push({ tool: call.tool, key, value, grounded, repeats: 0 });
        }
        if (typeof value !== "string") continue;
        const normal = normText(value);
        if (normal === "" || codePointLength(normal) < minLen || allowed.has(normal)) continue;
        if (rules === "v1") {
          const source = context.findLetters(normal, call.nPieces);
          found.push({
            tool: call.tool,
            key,
            value,
            grounded: source === null ? null : { how: "text", source },
            repeats: 0,
          });
          continue;
        }
        const name = `${call.tool}.${collapsed(path)}`;
        if (freeText.has(name) || isComposed(path, value) || isSearch(path, value)) {
          skipped.add(name);
          continue;
        }
        const grounded = schemaValues(row, call.tool, path).some((known) => String(known) === value)
          ? ({ how: "schema", source: "" } as const)
          : (groundText(value, ground) ?? asFile(call, path, normal, context, ownFiles));
        found.push({ tool: call.tool, key, value, grounded, repeats: 0 });
      }
    }
    report.checked = rules === "v1" ? found : withoutRepeats(found);
    report.freeText = [...skipped];
    return report;
  };
}

/** A path whose last part was seen, or of a file that the agent makes or has made. */
function asFile(
  { tool, arguments: given, nPieces }: TimedCall,
  path: readonly string[],
  value: string,
  context: ContextText,
  ownFiles: Set<string>,
): Grounded | null {
  if (!isPath(path)) return null;
  if (makesFile(tool, given)) ownFiles.add(value);
  if (ownFiles.has(value)) return { how: "own_file", source: "" };
  // A search fails by itself, and "/workspace" is where the agent works.
  if (findsFiles(tool) || /^\/[^/]*\/?$/.test(value)) return { how: "path", source: "" };
  const last = value.split(/[\\/]/).findLast((part) => part !== "");
  const source = last === undefined ? null : context.findWords(last, nPieces);
  return source === null ? null : { how: "path", source };
}

/** Parameters whose texts have more than eight words on average. */
function freeTextOf(calls: readonly TimedCall[]): Set<string> {
  const words = new Map<string, { n: number; sum: number }>();
  for (const { tool, arguments: given } of calls) {
    for (const { path, value } of argumentLeaves(given).leaves) {
      if (typeof value !== "string") continue;
      const name = `${tool}.${collapsed(path)}`;
      const tally = words.get(name) ?? { n: 0, sum: 0 };
      tally.n++;
      tally.sum += normText(value).split(" ").length;
      words.set(name, tally);
    }
  }
  return new Set([...words].filter(([, { n, sum }]) => sum / n > FREE_TEXT_WORDS).map(([name]) => name));
}

/** An invention that comes again is one. */
function withoutRepeats(found: readonly ArgumentSource[]): ArgumentSource[] {
  const first = new Map<string, ArgumentSource>();
  return found.filter((entry) => {
    if (entry.grounded !== null) return true;
    const value = `${typeof entry.value} ${normText(String(entry.value))}`;
    const known = first.get(value);
    if (known === undefined) first.set(value, entry);
    else known.repeats++;
    return known === undefined;
  });
}

/** By `v1` the last key alone, by `v2` any key of the path, or a pattern of the whole one. */
function ignoreRule(ignoreKeys: readonly string[], rules: MarkerRules): (path: readonly string[]) => boolean {
  const keys = new Set(ignoreKeys.map((key) => key.toLowerCase()));
  if (rules === "v1") return (path) => keys.has((path.at(-1) ?? "").toLowerCase());
  const patterns = [...keys].filter((key) => key.includes(".")).map((key) => key.split("."));
  return (path) => {
    const lowered = path.map((key) => key.toLowerCase());
    return (
      lowered.some((key) => keys.has(key)) ||
      patterns.some(
        (pattern) =>
          pattern.length === lowered.length && pattern.every((part, i) => part === "*" || part === lowered[i]),
      )
    );
  };
}
