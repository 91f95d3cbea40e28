import type { Json } from "@while/schema";

const FENCE = /```[^\n`]*\n([\s\S]*?)```/g;

/** Openers from which a value is tried: prose full of brackets must not cost the square of its length. */
const MAX_TRIES = 64;

/**
 * The JSON value in a reply: in its last code fence that holds one, else the whole text, else from the first `{` or `[`
 * from which a value parses to its matching close. Null when none parses; a found null is `{ value: null }`.
 */
export function extractJson(text: string): { value: Json } | null {
  const fenced = [...text.matchAll(FENCE)].map(([, inside]) => inside!).reverse();
  for (const part of [...fenced, text]) {
    const found = parsed(part);
    if (found !== null) return found;
  }
  const opener = /[{[]/g;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const start = opener.exec(text)?.index;
    if (start === undefined) return null;
    const end = closeOf(text, start);
    const found = end === null ? null : parsed(text.slice(start, end));
    if (found !== null) return found;
  }
  return null;
}

function parsed(text: string): { value: Json } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null; // Most text is no JSON; that is the answer.
  }
}

/** The place behind the bracket that closes the one at `start`; brackets inside of strings do not count. */
function closeOf(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return i + 1;
  }
  return null;
}
