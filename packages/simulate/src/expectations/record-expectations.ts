import {
  compareCodePoints,
  groupByTask,
  isObject,
  normText,
  type Row,
  stepsOf,
  textOf,
  toolsCalled,
} from "@while/schema";
import type { Expectation } from "./expectation.ts";

/** Facts of a reply that are kept: more of them than a reader checks would be kept unread. */
const MOST_FACTS = 4;
/** Words that stand for a reply without facts. */
const MOST_WORDS = 3;
/** A shorter word says little of what a reply is about. */
const WORD_LETTERS = 4;

/**
 * What every rollout of a task has in common, as an expectation of the next ones: the tools that all of them called, and
 * what all replies name: facts (words with a digit: ids, amounts, dates) and words that their tools answered. Where that
 * is no more than the prompt says itself, also the words that all replies share and that the other tasks' replies have
 * least. A task with a rollout that failed or said nothing, or with nothing in common, has none.
 *
 * It says that an agent still does what it did, and not that this was right: a person is to read it. The rollouts that it
 * was recorded from meet it by construction, so a pass rate has to come from others.
 *
 * @returns By task key
 */
export function recordExpectations(rows: readonly Row[]): Map<string, Expectation> {
  const { groups } = groupByTask(rows);
  const spread = new Map<string, number>();
  for (const own of groups.values()) {
    const words = new Set(own.flatMap(({ final_text }) => wordsOf(textOf(final_text))));
    for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1);
  }
  const recorded = new Map<string, Expectation>();
  for (const [key, own] of groups) {
    if (own.some(({ finish_reason }) => finish_reason === "error" || finish_reason === "empty")) continue;
    const texts = own.map(({ final_text }) => textOf(final_text));
    const asked = new Set(wordsOf(textOf(own[0]!.prompt)).concat(factsOf(textOf(own[0]!.prompt)).map(normText)));
    const isNews = (text: string): boolean => !asked.has(normText(text));
    const calls = common(own.map(toolsCalled)).sort(compareCodePoints);
    const facts = common(texts.map(factsOf)).slice(0, MOST_FACTS);
    const found = common(own.map(wordsFound)).filter(isNews).slice(0, MOST_WORDS);
    const told = [...facts, ...found];
    const shared = told.some(isNews) ? [] : rarest(common(texts.map(wordsOf)).filter(isNews), spread);
    const says = [...told, ...shared];
    if (calls.length + says.length === 0) continue;
    recorded.set(key, { ...(calls.length === 0 ? {} : { calls }), ...(says.length === 0 ? {} : { says }) });
  }
  return recorded;
}

/** Words of the reply that its tools answered. */
function wordsFound(row: Row): string[] {
  const answered = new Set(stepsOf(row).flatMap(({ result }) => wordsOf(JSON.stringify(valuesOf(result)))));
  return wordsOf(textOf(row.final_text)).filter((word) => answered.has(word));
}

/** The values of an answer, without the names that they stand under. */
function valuesOf(result: unknown): unknown[] {
  if (Array.isArray(result)) return result.flatMap(valuesOf);
  return isObject(result) ? Object.values(result).flatMap(valuesOf) : [result];
}

/** What stands in every list, whatever its case; in the order and the case of the first. */
function common(lists: readonly (readonly string[])[]): string[] {
  const [first = new Map<string, string>(), ...rest] = lists.map(
    (list) => new Map([...list].reverse().map((item) => [normText(item), item])),
  );
  return [...first].flatMap(([key, item]) => (rest.every((list) => list.has(key)) ? item : [])).reverse();
}

/** Words with a digit, without the punctuation around them: `A1001`, `42.50`, `2026-11-30`. */
function factsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}][\p{L}\p{N}.,:/_-]*/gu) ?? [])
    .map((word) => word.replace(/[.,:/_-]+$/, ""))
    .filter((word) => /\p{N}/u.test(word) && word.length > 1);
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => [...word].length >= WORD_LETTERS);
}

function rarest(words: readonly string[], spread: ReadonlyMap<string, number>): string[] {
  return [...words]
    .sort(
      (a, b) => (spread.get(a) ?? 0) - (spread.get(b) ?? 0) || [...b].length - [...a].length || compareCodePoints(a, b),
    )
    .slice(0, MOST_WORDS);
}
