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

function writeFromTemplates(cards: readonly Card[], { tools, taken }: WriterContext): WrittenCards {
  const used = new Set(taken);
  const written: Written[] = [];
  let nDry = 0;
  for (const card of cards) {
    const prompt = firstFree(card, tools, used);
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

function firstFree(card: Card, tools: readonly SimTool[], used: ReadonlySet<string>): string | null {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const prompt = promptFor(card, tools, card.phrasing + attempt * MAX_TRIES);
    if (!used.has(prompt)) return prompt;
  }
  return null;
}

function promptFor({ id, assignment }: Card, tools: readonly SimTool[], round: number): string {
  const pick = (axis: string, pool: readonly string[]): string =>
    pool[wordDraw(`${id}:${axis}:${round}`) % pool.length]!;
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
  const about = (tool: SimTool, axis: string): string => {
    const { intent, phrase, action } = intentOf(tool);
    const ref = takesReference(tool)
      ? referenceId(id, knownIds(pyJson(tools.map((one) => one.function))), round, prefixOf(tools))
      : "";
    const said = pick(axis, OPENERS[intent])
      .replaceAll("{thing}", phrase)
      .replaceAll("{action}", action)
      .replaceAll("{ref}", ref)
      // A tool that takes no reference leaves a gap, and the punctuation around it.
      .replace(/ ,? ?(?=[?.,:]|$)/g, "")
      .replace(/\s+/g, " ")
      .trim();
    return said.charAt(0).toUpperCase() + said.slice(1);
  };
  if (name !== MULTI_TOOL) return about(tools.find((tool) => tool.function.name === name) ?? tools[0]!, "opener");
  const first = wordDraw(`${id}:first:${round}`) % tools.length;
  const second = (first + 1 + (wordDraw(`${id}:second:${round}`) % Math.max(1, tools.length - 1))) % tools.length;
  return [...new Set([about(tools[first]!, "opener"), about(tools[second]!, "then")])].join(" ");
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
