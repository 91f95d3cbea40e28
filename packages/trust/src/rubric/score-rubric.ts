import { isObject, roundHalfEven } from "@while/schema";
import type { Criterion } from "./criterion.ts";
import { slugOf } from "./criterion.ts";
import type { Rubric } from "./rubric.ts";

/** What a checklist comes to. */
export interface RubricScore {
  /** 0 to 1; null where a hard item was not answered, as nobody knows whether the reply holds. */
  reward: number | null;
  /** Titles. */
  met: string[];
  missed: string[];
  hardFailed: string[];
  pitfallsHit: string[];
  unanswered: string[];
  /** Keys of the results that name no item, or several. */
  unmatched: string[];
  /** true and false by slug, of the items that were answered. */
  criteria: Map<string, boolean>;
}

const YES: readonly string[] = ["true", "yes", "met", "1", "pass"];

/**
 * The reward of a reply whose items were decided. A hard item that is missed makes it 0. Otherwise it is the weight of the
 * principles that are met, less that of the pitfalls, over the weight of all principles; with pitfalls alone the share that
 * was avoided; with neither 1. Rounded to 4 places.
 *
 * Plain principles give fractions, and agreement with labels counts only 0 and 1: for a verdict that can be measured, make
 * what must hold `hard`. (The Python SDK takes a hard item that nobody answered for missed.)
 *
 * @param results By number (`1`, `2.`), title or slug. Of a pitfall, true is that it was exhibited. Beside booleans the
 *   words true, yes, met, pass and 1 say yes, and numbers above 0
 */
export function scoreRubric({ criteria }: Rubric, results: Readonly<Record<string, unknown>>): RubricScore {
  const { answers, unmatched } = matched(criteria, results);
  const score: RubricScore = {
    ...{ reward: null, met: [], missed: [], hardFailed: [], pitfallsHit: [], unanswered: [] },
    ...{ unmatched, criteria: new Map() },
  };
  let principles = 0;
  let pitfalls = 0;
  let earned = 0;
  let lost = 0;
  let hardUnanswered = false;
  for (const item of criteria) {
    const { title, weight, kind } = item;
    const answer = answers.get(item);
    if (kind === "principle") principles += weight;
    if (kind === "pitfall") pitfalls += weight;
    if (answer === undefined) {
      score.unanswered.push(title);
      if (kind === "hard") hardUnanswered = true;
      continue;
    }
    score.criteria.set(slugOf(title), answer);
    if (kind === "pitfall") {
      if (answer) {
        score.pitfallsHit.push(title);
        lost += weight;
      }
    } else if (answer) {
      score.met.push(title);
      if (kind === "principle") earned += weight;
    } else {
      score.missed.push(title);
      if (kind === "hard") score.hardFailed.push(title);
    }
  }
  if (score.hardFailed.length > 0) return { ...score, reward: 0 };
  if (hardUnanswered) return score;
  const share = principles > 0 ? (earned - lost) / principles : pitfalls > 0 ? 1 - lost / pitfalls : 1;
  return { ...score, reward: roundHalfEven(Math.min(1, Math.max(0, share)), 4) };
}

function matched(
  criteria: readonly Criterion[],
  results: Readonly<Record<string, unknown>>,
): { answers: Map<Criterion, boolean>; unmatched: string[] } {
  const answers = new Map<Criterion, boolean>();
  const loose: [key: string, answer: boolean][] = [];
  for (const [key, value] of Object.entries(results)) {
    const answer = answerOf(value);
    if (answer === null) continue;
    const item = namedBy(criteria, key);
    if (item === undefined) loose.push([key, answer]);
    else answers.set(item, answer);
  }
  // A part of a title counts only for items that nobody named outright, and only where it means one of them.
  const open = criteria.filter((item) => !answers.has(item));
  const unmatched: string[] = [];
  for (const [key, answer] of loose) {
    const like = alike(open, slugOf(key));
    if (like === null || answers.has(like)) unmatched.push(key);
    else answers.set(like, answer);
  }
  return { answers, unmatched };
}

/** By number or by its exact slug. */
function namedBy(criteria: readonly Criterion[], key: string): Criterion | undefined {
  const number = /^\s*(\d{1,4})[.)]?\s*$/.exec(key);
  if (number !== null) return criteria[Number(number[1]) - 1];
  const slug = slugOf(key);
  return criteria.find(({ title }) => slugOf(title) === slug);
}

function alike(open: readonly Criterion[], slug: string): Criterion | null {
  const [one, another] = open.filter(({ title }) => {
    const own = slugOf(title);
    return own.startsWith(slug) || slug.startsWith(own) || slug.includes(own);
  });
  return one === undefined || another !== undefined ? null : one;
}

/** null where there is no answer. */
function answerOf(value: unknown): boolean | null {
  if (value === null || value === undefined) return null;
  if (isObject(value)) return answerOf(value.met ?? value.value);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value > 0;
  return typeof value === "string" && YES.includes(value.trim().toLowerCase());
}
