import { TrustError } from "../trust-error.ts";
import { type Edge, type PatternNode, parsePattern } from "./parse-pattern.ts";

/** Whether a text has a match; not where. */
export interface LinearPattern {
  /** @throws TrustError `cannot_verify` for a text and a pattern so long that even this takes more than a second or so */
  test: (text: string) => boolean;
}

type Step =
  | { op: "char"; holds: (char: string) => boolean }
  | { op: "edge"; edge: Edge }
  | { op: "jump"; to: number[] }
  | { op: "match" };

/** Steps of a compiled pattern; `(a{1000}){1000}` would be a million. */
const MAX_STEPS = 20_000;
/** Steps times characters of one test. */
const MAX_WORK = 200_000_000;

/**
 * A regular expression that takes time in proportion to the text, whatever the pattern is: all ways through it are
 * walked side by side, one character at a time, and none is walked twice (Thompson 1968). JavaScript tries one way after
 * another and can take centuries, as for `(a+)+$` on forty letters. Lookaround and back-references cannot be had this way.
 *
 * @param flags Of `i`, `m`, `s`, `u`; code points are read as with `u` in any case
 * @throws TrustError `bad_option` for a pattern that is none, or that would need another way of matching
 */
export function linearPattern(pattern: string, flags = ""): LinearPattern {
  if (!/^[imsu]*$/.test(flags)) {
    throw new TrustError("bad_option", `The flags are ${flags}.`, "Give letters of i, m, s and u.");
  }
  const all = [...new Set(`${flags}u`)].join("");
  try {
    new RegExp(pattern, all);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new TrustError("bad_option", `${what}.`, "Write it as a pattern of JavaScript with the flag u.");
  }
  const steps: Step[] = [];
  emit(steps, parsePattern(pattern, all));
  steps.push({ op: "match" });
  return { test: (text) => hasMatch(steps, text, all.includes("m")) };
}

function emit(steps: Step[], node: PatternNode): void {
  if (node.kind === "char") add(steps, { op: "char", holds: node.holds });
  else if (node.kind === "edge") add(steps, { op: "edge", edge: node.edge });
  else if (node.kind === "repeat") emitRepeat(steps, node);
  else if (node.kind === "choice") emitChoice(steps, node.items);
  else {
    // A step of its own, so that a thousand times nothing is counted too.
    if (node.items.length === 0) jump(steps, steps.length + 1);
    for (const item of node.items) emit(steps, item);
  }
}

function emitRepeat(steps: Step[], { item, least, most }: Extract<PatternNode, { kind: "repeat" }>): void {
  for (let i = 0; i < least; i++) emit(steps, item);
  if (most === Number.POSITIVE_INFINITY) {
    const head = steps.length;
    const onward = jump(steps, head + 1);
    emit(steps, item);
    jump(steps, head);
    onward.push(steps.length);
    return;
  }
  const exits: number[][] = [];
  for (let i = least; i < most; i++) {
    exits.push(jump(steps, steps.length + 1));
    emit(steps, item);
  }
  for (const exit of exits) exit.push(steps.length);
}

function emitChoice(steps: Step[], items: readonly PatternNode[]): void {
  const starts = jump(steps);
  const ends: number[][] = [];
  for (const item of items) {
    starts.push(steps.length);
    emit(steps, item);
    ends.push(jump(steps));
  }
  for (const end of ends) end.push(steps.length);
}

/** Where it leads, to be added to. */
function jump(steps: Step[], ...to: number[]): number[] {
  add(steps, { op: "jump", to });
  return to;
}

function add(steps: Step[], step: Step): void {
  if (steps.push(step) > MAX_STEPS) {
    throw new TrustError("bad_option", `The pattern has over ${MAX_STEPS} steps.`, "Repeat less in it.");
  }
}

function hasMatch(steps: readonly Step[], text: string, multiline: boolean): boolean {
  const chars = [...text];
  if (steps.length * chars.length > MAX_WORK) {
    const what = `The pattern has ${steps.length} steps and the text ${chars.length} characters`;
    throw new TrustError("cannot_verify", `${what}, too much for one test.`, "Shorten the pattern.");
  }
  const reached = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  for (let i = 0; i <= chars.length; i++) {
    // A match may begin at every place.
    const open = [0, ...current];
    current = [];
    while (open.length > 0) {
      const index = open.pop()!;
      if (reached[index] === i) continue;
      reached[index] = i;
      const step = steps[index]!;
      if (step.op === "match") return true;
      if (step.op === "jump") open.push(...step.to);
      else if (step.op === "edge" && holdsAt(step.edge, chars, i, multiline)) open.push(index + 1);
      else if (step.op === "char" && i < chars.length && step.holds(chars[i]!)) current.push(index + 1);
    }
  }
  return false;
}

const LINE_END = /^[\n\r\u2028\u2029]$/;

function holdsAt(edge: Edge, chars: readonly string[], i: number, multiline: boolean): boolean {
  const before = chars[i - 1];
  const after = chars[i];
  if (edge === "^") return before === undefined || (multiline && LINE_END.test(before));
  if (edge === "$") return after === undefined || (multiline && LINE_END.test(after));
  const isBound = /^\w$/.test(before ?? "") !== /^\w$/.test(after ?? "");
  return edge === "b" ? isBound : !isBound;
}
