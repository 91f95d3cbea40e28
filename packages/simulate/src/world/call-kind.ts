import { nameTokens } from "../grid/name-tokens.ts";
import { toolKind } from "../grid/tool-kind.ts";
import type { SimTool } from "./tool-schemas.ts";

/** What a call does to the world. */
type CallVerb = "read" | "search" | "create" | "cancel" | "update" | "send" | "act" | "shell" | "other";

export interface CallKind {
  verb: CallVerb;
  /** What it is about, in the singular: `order` of `lookup_order`. */
  noun: string;
  /** The word that says what is done: `refund`. */
  action: string;
}

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(" "));
const CREATE = wordsOf(
  "create add make new post insert generate write upload submit open issue book place request schedule reserve start initiate begin launch",
);
const CANCEL = wordsOf("delete remove cancel drop destroy close");
const UPDATE = wordsOf("update edit modify change set rename adjust correct fix patch upgrade downgrade");
const SEND = wordsOf("send email notify message publish share");
const SEARCH = wordsOf("search find list browse query");
const SHELL = wordsOf("bash shell terminal exec");
/** Words between a verb and what it is about. */
const SMALL = wordsOf("to for from with by of in on up a an the all");

/** What a tool does, by its annotations and the words of its name. */
export function callKind(tool: SimTool): CallKind {
  const { name } = tool.function;
  const words = nameTokens(name);
  const [first = "call", ...rest] = words;
  const noun = singular(rest.filter((word) => !SMALL.has(word)).at(-1) ?? first);
  const kind = { noun, action: first };
  if (words.some((word) => SHELL.has(word))) return { ...kind, verb: "shell" };
  if (SEARCH.has(first)) return { ...kind, verb: "search" };
  if (toolKind(name, tool) === "read") return { ...kind, verb: "read" };
  if (CREATE.has(first)) return { ...kind, verb: "create" };
  if (CANCEL.has(first)) return { ...kind, verb: "cancel" };
  if (UPDATE.has(first)) return { ...kind, verb: "update" };
  if (SEND.has(first)) return { ...kind, verb: "send" };
  return { ...kind, verb: toolKind(name, tool) === "destructive" ? "act" : "other" };
}

/** What an ask of a tool wants, for the writer's openers. */
export type Intent = "check" | "request" | "cancel" | "change" | "send" | "do";

const INTENT_OF: Readonly<Record<CallVerb, Intent>> = {
  read: "check",
  search: "check",
  create: "request",
  cancel: "cancel",
  update: "change",
  send: "send",
  act: "do",
  shell: "do",
  other: "do",
};

/** The intent and the noun phrase of an ask for this tool: `{ intent: "check", phrase: "order" }`. */
export function intentOf(tool: SimTool): { intent: Intent; phrase: string; action: string } {
  const { verb, action } = callKind(tool);
  const [, ...rest] = nameTokens(tool.function.name);
  return { intent: INTENT_OF[verb], phrase: rest.join(" ") || "request", action };
}

function singular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") && !word.endsWith("ss") && word.length > 3 ? word.slice(0, -1) : word;
}
