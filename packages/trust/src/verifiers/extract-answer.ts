/** `answer is`, `Final answer:`, `result =`, also in bold. */
const SPOKEN = /\b(?:answer|result|solution)s?\b[*_`]*\s*(?:is|are|=|:)[*_`\s]*[:=]?[*_`]*/gi;
const HASHES = /^[ \t]*####[ \t]*(\S.*)$/gm;

/** Boxes that are tried, from the last: an unclosed one costs the rest of the text. */
const MAX_BOXES = 8;

/**
 * The answer in a reply: what stands in its last `\boxed{}`, else behind its last `####`, else what follows the last
 * "answer is", "result =" or "solution:" to the end of the sentence, else its last line. "" for a blank text.
 *
 * A decimal point ends no sentence, so "The answer is 3.14." is 3.14.
 */
export function extractAnswer(text: string): string {
  const boxed = lastBox(text);
  if (boxed !== null) return boxed.trim();
  const hashes = [...text.matchAll(HASHES)].at(-1)?.[1];
  if (hashes !== undefined) return sentence(hashes);
  const spoken = [...text.matchAll(SPOKEN)].at(-1);
  if (spoken !== undefined) {
    const said = sentence(text.slice(spoken.index + spoken[0].length));
    if (said !== "") return said;
  }
  const lines = text.trimEnd().split("\n");
  return withoutMarks(lines.at(-1)!);
}

/** Up to the line break, or to a full stop that ends a sentence. */
function sentence(text: string): string {
  const line = text.trimStart().split("\n", 1)[0]!;
  const stop = /[.。](?=\s|$|[*_`"')\]]+(?:\s|$))/.exec(line);
  return withoutMarks(stop === null ? line : line.slice(0, stop.index));
}

function withoutMarks(text: string): string {
  return text.replace(/^[\s*_`]+|[\s*_`]+$/g, "");
}

function lastBox(text: string): string | null {
  let from = text.length;
  for (let tries = 0; tries < MAX_BOXES; tries++) {
    const at = Math.max(text.lastIndexOf("\\boxed", from), text.lastIndexOf("\\fbox", from));
    if (at < 0) return null;
    const open = /^\\(?:boxed|fbox)\s*\{/.exec(text.slice(at, at + 40));
    const inside = open === null ? null : braced(text, at + open[0].length);
    if (inside !== null) return inside;
    if (at === 0) return null;
    from = at - 1;
  }
  return null;
}

/** The text from `start` to the brace that closes the one before it. */
function braced(text: string, start: number): string | null {
  let depth = 1;
  for (let i = start; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return text.slice(start, i);
  }
  return null;
}
