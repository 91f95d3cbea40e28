import { codePointLength, cutCodePoints, splitWords } from "@while/schema";

/** Clauses that a grid has cells for; more would crowd out the other axes. */
export const RULE_CAP = 16;

const MIN_CHARS = 8;
const MAX_CHARS = 120;
/** Lines that begin a part of their own: a heading, a number, a bullet, `Refund policy:`. */
const OPENS_PART = /^[ \t]*(?:#|\d+[.)]|[-*•]|[A-Z][A-Za-z ]{0,40}:)/;
const MARKER = /^(?:#+|\d+[.)]|[-*•])\s*/;
const ROLE = /^(?:you are|you're|your role(?: is)?|you act as|act as)\b/i;

/** The clauses of a policy, and how many there were before the cap. */
export interface PolicyClauses {
  clauses: string[];
  total: number;
}

/**
 * The rules in a system prompt, one a text, in the order of the document: split at blank lines, headings, list items and
 * sentences; who the agent is, is no rule. Cut at 120 characters, each once. The same as in the Python SDK, because each
 * clause is part of the ids of its cells.
 *
 * @param cap Clauses kept; `total` counts all
 */
export function policyClauses(policy: string, { cap = RULE_CAP }: { cap?: number } = {}): PolicyClauses {
  const clauses: string[] = [];
  const seen = new Set<string>();
  for (const part of parts(policy)) {
    for (const chunk of chunks(withoutRole(part))) {
      const clause = tidied(chunk);
      if (codePointLength(clause) < MIN_CHARS || ROLE.test(clause) || seen.has(clause.toLowerCase())) continue;
      seen.add(clause.toLowerCase());
      clauses.push(clause);
    }
  }
  return { clauses: clauses.slice(0, cap), total: clauses.length };
}

function parts(policy: string): string[] {
  const found: string[] = [];
  for (const paragraph of policy.split(/\n\s*\n/)) {
    let lines: string[] = [];
    for (const line of paragraph.split("\n")) {
      if (OPENS_PART.test(line) && lines.length > 0) {
        found.push(lines.join("\n"));
        lines = [];
      }
      lines.push(line);
    }
    found.push(lines.join("\n"));
  }
  return found.map((part) => part.trim()).filter((part) => part !== "");
}

function withoutRole(part: string): string {
  if (!ROLE.test(part)) return part;
  const end = part.search(/[.!;]/);
  return end < 0 ? "" : part.slice(end + 1).trim();
}

function chunks(part: string): string[] {
  const sentences = part.split(/(?<=[.!?])\s+/);
  const whole = sentences.length >= 2 && sentences.every(isLongEnough) ? sentences : [part];
  return whole.flatMap((chunk) => {
    const pieces = chunk.split("; ");
    return pieces.length >= 2 && pieces.every(isLongEnough) ? pieces : [chunk];
  });
}

function isLongEnough(text: string): boolean {
  return codePointLength(text.trim()) >= MIN_CHARS;
}

function tidied(chunk: string): string {
  const clause = splitWords(chunk).join(" ").replace(MARKER, "");
  if (codePointLength(clause) <= MAX_CHARS) return clause;
  const head = cutCodePoints(clause, MAX_CHARS);
  const space = head.lastIndexOf(" ");
  return (space < 0 ? head : head.slice(0, space)).replace(/[ ,;:]+$/, "");
}
