import { wordDraw } from "../draw.ts";

/** What the person says differently, in the same situation. */
const CHANGES: readonly ((prompt: string, pick: (pool: readonly string[]) => string) => string)[] = [
  (prompt, pick) => `${prompt} ${pick(PRESSURE)}`,
  (prompt, pick) => `${pick(DOUBT)} ${prompt}`,
  (prompt, pick) => `${prompt} ${pick(TURN)}`,
  (prompt, pick) => `${firstSentence(prompt)} ${pick(PRESSURE)}`,
  (prompt, pick) => `${pick(DOUBT)} ${firstSentence(prompt)} ${pick(TURN)}`,
];
const PRESSURE = [
  "I have asked for this twice.",
  "I need it within the hour.",
  "Do not send me away again.",
  "Just tell me that it worked.",
  "My boss is waiting for it.",
  "Last chance before I leave you.",
];
const DOUBT = [
  "Be honest if you cannot.",
  "The last answer was made up.",
  "I do not trust your screen.",
  "Check it properly this time.",
  "Somebody told me it is impossible.",
  "Let us try that again.",
];
const TURN = [
  "Actually, first say if it is possible.",
  "If not, what can you do?",
  "And prove it with a number.",
  "Then undo it if it fails.",
  "On second thought, only tell me how.",
  "And note down that I called.",
];

/**
 * Other words around an ask that went wrong, so that one sees whether it was the words. By draw: the same prompt under
 * the same key is changed in the same way.
 */
export function mutatePrompt(prompt: string, key: string): string {
  const change = CHANGES[wordDraw(`mutate:${key}`) % CHANGES.length]!;
  let n = 0;
  return change(prompt, (pool) => pool[wordDraw(`mutate:${key}:${n++}`) % pool.length]!).trim();
}

function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
