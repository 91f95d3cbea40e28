import { codePointLength } from "@while/schema";
import { nameTokens } from "../grid/name-tokens.ts";
import type { SimTool } from "../world/tool-schemas.ts";

const WORD = /\p{L}+/gu;
const SALIENT = 4;
const FAMILY_LEAST = 16;
const FAMILY_PER_PHRASING = 4;

/** How many prompts of a family a search runs: the next one would tell what those told. */
export function familyCap(phrasings: number): number {
  return Math.max(FAMILY_LEAST, FAMILY_PER_PHRASING * phrasings);
}

/**
 * What a prompt shares with its near-copies: what it is about (a tool, or the family of a probe), and its longest word
 * that the tools do not have in their names. Two families are the same text.
 */
export function promptFamily(prompt: string, about: string, tools: readonly SimTool[]): string {
  const known = new Set(tools.flatMap((tool) => nameTokens(tool.function.name)));
  let salient = "";
  for (const [word] of prompt.toLowerCase().matchAll(WORD)) {
    if (!known.has(word) && codePointLength(word) > codePointLength(salient)) salient = word;
  }
  return `${about}|${codePointLength(salient) < SALIENT ? "" : salient}`;
}
