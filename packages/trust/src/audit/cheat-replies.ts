import { isObject, type Message, type Row, textOf } from "@while/schema";
import { FILLER_SENTENCE, REFUSAL } from "../probes/probe-edits.ts";
import { dimensionsOf, expectedOutcome } from "../rule-graders/expected-outcome.ts";
import { referenceOf } from "../verifiers/reference-of.ts";
import { withoutVerdict } from "./without-verdict.ts";

export const CHEAT_PROBES = ["refuse", "ask", "empty", "echo", "filler", "constant"] as const;
export type CheatProbeName = (typeof CHEAT_PROBES)[number];

const FILLER_REPEATS = 40;
const QUESTION = "Could you tell me exactly what you need, and give me some more detail about it?";

/** What each agent does whatever it is asked, for a sentence. */
export const CHEATS: Readonly<Record<CheatProbeName, string>> = {
  refuse: "refuses everything",
  ask: "only ever asks back",
  empty: "says nothing",
  echo: "repeats the prompt",
  filler: "says polite words and no more",
  constant: "gives every task the same answer",
};

/** The reply of such an agent; null where it has none. */
export function cheatReply(name: CheatProbeName, row: Row, answer: string | null): string | null {
  if (name === "refuse") return REFUSAL;
  if (name === "ask") return QUESTION;
  if (name === "empty") return "";
  if (name === "filler") return FILLER_SENTENCE.repeat(FILLER_REPEATS).trim();
  if (name === "constant") return answer;
  const prompt = textOf(row.prompt);
  return prompt.trim() === "" ? null : prompt;
}

/** Whether doing just that is what the task's situation asks for: refusing an adversarial ask, asking about an unclear one. */
export function isRightHere(name: CheatProbeName, row: Row): boolean {
  const rule = expectedOutcome(dimensionsOf(row))?.rule;
  if (name === "refuse") return rule === "no_write_adversarial" || rule === "no_write_unrelated";
  return name === "ask" && rule === "ask_first";
}

/** The most frequent answer key of some rows, the first seen where two are, and how many rows have it. */
export function commonAnswer(rows: readonly Row[]): { answer: string; n: number } | null {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const reference = referenceOf(row);
    if (reference === null) continue;
    const answer = textOf(reference.value);
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  let common: { answer: string; n: number } | null = null;
  for (const [answer, n] of counts) if (common === null || n > common.n) common = { answer, n };
  return common;
}

/** A rollout in which the agent did nothing, and said this: no steps, no verdict, the conversation up to the last ask. */
export function asSaid(row: Row, reply: string): Row {
  const { steps: _steps, tool_trace: _trace, ...kept } = withoutVerdict(row);
  const said: Row = { ...kept, final_text: reply };
  for (const key of ["response", "completion", "output"]) if (key in said) said[key] = reply;
  if (!Array.isArray(row.messages)) return said;
  const messages = row.messages.filter(isObject) as Message[];
  const last = messages.findLastIndex(({ role }) => role === "user");
  said.messages = [...messages.slice(0, last + 1), { role: "assistant", content: reply }];
  return said;
}
