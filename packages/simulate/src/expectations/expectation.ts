import { isObject, normText, type Row, textOf, toolsCalled } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";

/** What a task asks of a rollout, as a file of tasks carries it under `expect`. What is left out is not asked. */
export interface Expectation {
  /** Tools that are called, in any order. */
  calls?: readonly string[];
  /** Tools that are left alone. */
  avoids?: readonly string[];
  /** Texts in the reply, in any case and spacing. */
  says?: readonly string[];
  /** Texts that are not in it. */
  never_says?: readonly string[];
}

const PARTS = ["calls", "avoids", "says", "never_says"] as const;

/** Whether a rollout did what was expected of it, and what it missed. */
export interface ExpectationVerdict {
  reward: 0 | 1;
  reason: string;
}

/**
 * Holds one rollout against what its task expects: every part of it, or it fails. A rollout that ended in an error or
 * said nothing fails whatever is expected.
 *
 * @throws SimulateError `bad_tasks` for an expectation that is none
 */
export function expectationVerdict(row: Row, expected: Expectation | null | undefined): ExpectationVerdict {
  const { calls = [], avoids = [], says = [], never_says = [] } = checkExpectation(expected ?? {}, textOf(row.prompt));
  if (row.finish_reason === "error" || row.finish_reason === "empty") {
    return { reward: 0, reason: textOf(row.final_text) || `the rollout ended with ${row.finish_reason}` };
  }
  const reply = normText(textOf(row.final_text));
  const called = new Set(toolsCalled(row));
  const within = (text: string): boolean => holds(reply, normText(text));
  const missed = [
    ...calls.filter((tool) => !called.has(tool)).map((tool) => `${tool} was not called`),
    ...avoids.filter((tool) => called.has(tool)).map((tool) => `${tool} was called`),
    ...says.filter((text) => !within(text)).map((text) => `the reply does not say ${JSON.stringify(text)}`),
    ...never_says.filter(within).map((text) => `the reply says ${JSON.stringify(text)}`),
  ];
  return missed.length === 0 ? { reward: 1, reason: "as expected" } : { reward: 0, reason: missed.join("; ") };
}

/** A text stands in another one as words of its own: 12 is not in 120. */
function holds(reply: string, text: string): boolean {
  for (let at = reply.indexOf(text); at >= 0; at = reply.indexOf(text, at + 1)) {
    const [before, after] = [reply[at - 1] ?? " ", reply[at + text.length] ?? " "];
    if (!(WORD.test(before) && WORD.test(text[0] ?? " ")) && !(WORD.test(after) && WORD.test(text.at(-1) ?? " "))) {
      return true;
    }
  }
  return false;
}

const WORD = /[\p{L}\p{N}]/u;

function checkExpectation(expected: unknown, prompt: string): Expectation {
  const refuse = (what: string): SimulateError => {
    const fix = 'Give { "calls": [tools], "avoids": [tools], "says": [texts], "never_says": [texts] }, or parts of it.';
    return new SimulateError("bad_tasks", `${what} (task ${JSON.stringify(prompt)}).`, fix);
  };
  if (!isObject(expected)) throw refuse(`expect is ${JSON.stringify(expected)}`);
  for (const [name, value] of Object.entries(expected)) {
    if (!(PARTS as readonly string[]).includes(name)) throw refuse(`expect has no part ${name}`);
    const isTexts = Array.isArray(value) && value.every((text) => typeof text === "string" && text.trim() !== "");
    if (!isTexts) throw refuse(`expect.${name} is ${JSON.stringify(value)}, and no list of texts`);
  }
  return expected as Expectation;
}
