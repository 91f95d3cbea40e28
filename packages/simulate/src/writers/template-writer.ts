import { pyJson, splitWords } from "@while/schema";
import { wordDraw } from "../draw.ts";
import { MULTI_TOOL, UNRELATED, UNSPECIFIED } from "../grid/dimensions.ts";
import { callKind, intentOf } from "../world/call-kind.ts";
import { isReferenceKey, knownIds } from "../world/reference-key.ts";
import type { SimTool } from "../world/tool-schemas.ts";
import { referenceId } from "./reference-id.ts";
import { CLOSERS, LINES, OPENERS, RULE_LINES, UNRELATED_ASKS } from "./sentence-pools.ts";
import type { Card, Writer, WriterContext, Written, WrittenCards } from "./writer.ts";

/** Wordings tried before a card is given up because all of them are taken. */
const MAX_TRIES = 40;
const RULE_WORDS = 5;

/** The writer that needs no model: an opener for the tool, a line for what is special, at times a closer. */
export const templateWriter: Writer = {
  name: "template",
  async write(cards, context) {
    return writeFromTemplates(cards, context);
  },
};

function writeFromTemplates(cards: readonly Card[], { tools, taken, round }: WriterContext): WrittenCards {
  const used = new Set(taken);
  // A search that comes back to a card wants other words for it.
  const offset = round === undefined ? 0 : wordDraw(`words:${round}`);
  const written: Written[] = [];
  let nDry = 0;
  for (const card of cards) {
    const prompt = firstFree(card, tools, used, offset);
    if (prompt === null) {
      nDry++;
      continue;
    }
    used.add(prompt);
    written.push({ card, prompt });
  }
  if (nDry === 0) return { written, warnings: [] };
  const warning = `${nDry} of ${cards.length} prompts could not be written: the templates have no further wordings. Ask for fewer phrasings, or give a model as writer.`;
  return { written, warnings: [warning] };
}

function firstFree(card: Card, tools: readonly SimTool[], used: ReadonlySet<string>, offset: number): string | null {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const prompt = promptFor(card, tools, card.phrasing + attempt * MAX_TRIES + offset);
    if (!used.has(prompt)) return prompt;
  }
  return null;
}

function promptFor({ id, assignment }: Card, tools: readonly SimTool[], round: number): string {
  const pick = (axis: string, pool: readonly string[]): string => pickFrom(pool, `${id}:${axis}:${round}`);
  const parts = [opening(assignment.tool ?? UNRELATED, id, tools, round, pick)];
  for (const [axis, lines] of Object.entries(LINES)) {
    const value = assignment[axis] ?? "";
    if (Object.hasOwn(lines, value)) parts.push(pick(axis, lines[value]!));
  }
  const { rule = UNSPECIFIED } = assignment;
  if (rule !== UNSPECIFIED) {
    const head = splitWords(rule)
      .slice(0, RULE_WORDS)
      .join(" ")
      .replace(/[.,;:!?"]+$/, "");
    parts.push(pick("rule", RULE_LINES).replace("{rule}", head));
  }
  parts.push(pick("closer", CLOSERS));
  return parts.filter((part) => part !== "").join(" ");
}

function opening(
  name: string,
  id: string,
  tools: readonly SimTool[],
  round: number,
  pick: (axis: string, pool: readonly string[]) => string,
): string {
  if (tools.length === 0 || name === UNRELATED) return pick("opener", UNRELATED_ASKS);
  const about = (tool: SimTool, axis: string): string => askAbout(tool, { id, tools, round, axis });
  if (name !== MULTI_TOOL) return about(tools.find((tool) => tool.function.name === name) ?? tools[0]!, "opener");
  const first = wordDraw(`${id}:first:${round}`) % tools.length;
  const second = (first + 1 + (wordDraw(`${id}:second:${round}`) % Math.max(1, tools.length - 1))) % tools.length;
  return [...new Set([about(tools[first]!, "opener"), about(tools[second]!, "then")])].join(" ");
}

interface AskOptions {
  /** What the draw is about: another id is another wording, and names another entity. */
  id: string;
  tools: readonly SimTool[];
  round: number;
  /** Tells two asks in one prompt apart. */
  axis?: string;
}

/** What a person says who needs this tool; with an id where the tool takes one. */
export function askAbout(tool: SimTool, { id, tools, round, axis = "opener" }: AskOptions): string {
  const { intent, phrase, action } = intentOf(tool);
  const ref = takesReference(tool)
    ? referenceId(id, knownIds(pyJson(tools.map((one) => one.function))), round, prefixOf(tools))
    : "";
  const said = pickFrom(OPENERS[intent], `${id}:${axis}:${round}`)
    .replaceAll("{thing}", phrase)
    .replaceAll("{action}", action)
    .replaceAll("{ref}", ref)
    // A tool that takes no reference leaves a gap, and the punctuation around it.
    .replace(/ ,? ?(?=[?.,:]|$)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function pickFrom(pool: readonly string[], draw: string): string {
  return pool[wordDraw(draw) % pool.length]!;
}

function takesReference(tool: SimTool): boolean {
  const { properties } = tool.function.parameters;
  return Object.keys((properties as object | undefined) ?? {}).some(isReferenceKey);
}

/** Three letters of what the first reading tool is about: `ORD`. */
function prefixOf(tools: readonly SimTool[]): string {
  const reading = tools.find((tool) => ["read", "search"].includes(callKind(tool).verb)) ?? tools[0]!;
  return callKind(reading).noun.slice(0, 3).toUpperCase();
}
