import { pyJson, sha256Hex } from "@while/schema";

/** One cell of the coverage grid: a value for each axis. */
export type Assignment = Readonly<Record<string, string>>;

/**
 * The id of a situation: `sc-` and 10 hex digits over its assignment. Neither the model nor the rest of the system
 * prompt is in it, so another model, or another clause, keeps every id. The same in the Python SDK.
 */
export function regionId(assignment: Assignment): string {
  return `sc-${sha256Hex(pyJson(assignment, { sortKeys: true })).slice(0, 10)}`;
}

/** The id of a prompt that has no cell: `probe_` and the first 6 hex digits of its SHA-256, as in the Python SDK. */
export function probeId(prompt: string): string {
  return `probe_${sha256Hex(prompt).slice(0, SHORT_DIGITS)}`;
}

const SHORT_DIGITS = 6;
/** Digits of the id of a prompt whose shorter id another prompt has. */
const LONGER_DIGITS = [10, 16, 64];

/**
 * Hands out probe ids within one set of tasks. 24 bits collide for one set in thirty at 1,000 prompts, and two tasks of
 * one id would be pooled; the second prompt gets a longer id.
 */
export class ProbeIds {
  private readonly promptOf = new Map<string, string>();
  /** Prompts that needed a longer id. */
  collisions = 0;

  /** The id of a prompt: always the same one for the same prompt. */
  idOf(prompt: string): string {
    const hash = sha256Hex(prompt);
    for (const digits of [SHORT_DIGITS, ...LONGER_DIGITS]) {
      const id = `probe_${hash.slice(0, digits)}`;
      const owner = this.promptOf.get(id);
      if (owner === prompt) return id;
      if (owner !== undefined) continue;
      this.promptOf.set(id, prompt);
      if (digits !== SHORT_DIGITS) this.collisions++;
      return id;
    }
    throw new Error("Two prompts share a SHA-256.");
  }
}
