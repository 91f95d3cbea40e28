import type { MarkerRules } from "../markers/marker-rules.ts";

export type StepKind = "read" | "write" | "delete" | "command";

/** The kinds of a call, by what it does to files. */
export const STEP_KINDS: readonly StepKind[] = ["read", "write", "delete", "command"];

/** Kinds of a caller's own tools by name; null is a tool that is none of them. */
export type KindOverrides = Readonly<Record<string, StepKind | null>>;

export interface StepKindOptions {
  kinds?: KindOverrides | undefined;
  rules?: MarkerRules | undefined;
}

const COMMAND_KEYS = ["command", "cmd", "script", "shell"] as const;
const PATH_KEYS = ["path", "file_path", "filepath", "file", "filename", "target", "target_file"] as const;
const CONTENT_KEYS = ["content", "contents", "new_string", "new_str", "text", "data", "body", "code"] as const;
const MORE_CONTENT_KEYS = [
  "file_text",
  "new_contents",
  "new_content",
  "source",
  "patch",
  "diff",
  "replacement",
] as const;

/** Kinds by name, the first that matches. v1 finds them inside other words (`cat` in `certificate`). */
const NAMES: readonly (readonly [StepKind, RegExp])[] = [
  ["delete", /delete|remove|unlink|drop|(?<![\p{L}\p{N}_])rm(?![\p{L}\p{N}_])/iu],
  ["command", /run|exec|shell|bash|command|terminal|subprocess|sh$/i],
  ["write", /write|edit|create|save|put|patch|replace|append|update_file|insert/i],
  ["read", /read|cat|open|view|get_file|show|load|list/i],
];

const WORDS: readonly (readonly [StepKind, ReadonlySet<string>])[] = [
  ["delete", new Set(["delete", "remove", "unlink", "drop", "rm"])],
  ["command", new Set("run exec execute shell bash command terminal subprocess sh zsh powershell console".split(" "))],
  ["write", new Set("write edit create save put patch replace append insert".split(" "))],
  ["read", new Set("read cat open view show load list ls".split(" "))],
];

/** Values of `command` by which an editor tool says what it does to `path`. */
const SUB_COMMANDS: ReadonlyMap<string, StepKind> = new Map([
  ["view", "read"],
  ["create", "write"],
  ["str_replace", "write"],
  ["insert", "write"],
  ["undo_edit", "write"],
  ["write", "write"],
  ["edit", "write"],
  ["rename", "write"],
  ["delete", "delete"],
]);

/** The words of a name in snake, kebab or camel case, lower-cased. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The first value among these keys that is text and not blank. */
export function firstText(args: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return null;
}

/** What a call names: the shell text, the path and the content among its arguments; null where it has none. */
export function callFacts(
  args: Readonly<Record<string, unknown>>,
  rules: MarkerRules = "v2",
): { command: string | null; path: string | null; content: string | null } {
  return {
    command: firstText(args, COMMAND_KEYS),
    path: firstText(args, PATH_KEYS),
    content: firstText(args, rules === "v1" ? CONTENT_KEYS : [...CONTENT_KEYS, ...MORE_CONTENT_KEYS]),
  };
}

/**
 * Whether a call reads, writes, deletes or runs, by its arguments and its name; null for one that does none of them to
 * a file, such as a call of a customer desk. v2 matches whole words of the name, and an editor tool with both `path` and
 * `command` does what its `command` says: viewing a test is no edit of it.
 */
export function stepKind(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { kinds, rules = "v2" }: StepKindOptions = {},
): StepKind | null {
  if (kinds !== undefined && Object.hasOwn(kinds, tool)) {
    const kind = kinds[tool];
    return STEP_KINDS.find((known) => known === kind) ?? null;
  }
  const { command, path, content } = callFacts(args, rules);
  if (rules === "v2" && command !== null && path !== null) {
    const kind = SUB_COMMANDS.get(command.trim());
    if (kind !== undefined) return kind;
  }
  const named = rules === "v1" ? kindOfName(tool) : kindOfWords(tool);
  if (command !== null && (named === null || named === "command")) return "command";
  if (named === "delete" && path !== null) return "delete";
  if (path !== null && content !== null) return "write";
  if (named === "write" || named === "delete" || named === "command") return named;
  return path === null ? named : "read";
}

function kindOfName(tool: string): StepKind | null {
  return NAMES.find(([, pattern]) => pattern.test(tool))?.[0] ?? null;
}

function kindOfWords(tool: string): StepKind | null {
  const words = nameWords(tool);
  const kind = WORDS.find(([, names]) => words.some((word) => names.has(word)))?.[0] ?? null;
  const isFile = words.includes("file") && (words.includes("get") || words.includes("update"));
  return kind ?? (isFile ? (words.includes("get") ? "read" : "write") : null);
}
