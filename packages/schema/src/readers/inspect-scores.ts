import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import { labelOf } from "./load-traces.ts";
import type { ReadOptions } from "./read-options.ts";

/** Which number of the samples is their reward. */
export interface InspectChoice {
  scorer: string;
  /** The marker that holds the number: `<scorer>`, or `<scorer>.<key>`. */
  marker: string;
  /** Scorers that were not chosen. */
  others: string[];
}

/** Words that scorers write for a verdict: correct, incorrect, partly correct, no answer. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", 0],
  ["yes", 1],
  ["true", 1],
  ["no", 0],
  ["false", 0],
]);

/** Every number of a sample's scores as a marker. A scorer's value is one number or an object of several. */
export function scoresOf(scores: unknown): { markers: Record<string, number> } {
  const pairs: [string, number][] = [];
  for (const [scorer, score] of Object.entries(isObject(scores) ? scores : {})) {
    const value = isObject(score) ? score.value : score;
    const parts: [string, unknown][] = isObject(value)
      ? Object.entries(value).map(([key, part]) => [`${scorer}.${key}`, part])
      : [[scorer, value]];
    for (const [name, part] of parts) {
      const number = numberOf(part);
      if (number !== null) pairs.push([name, number]);
    }
  }
  return { markers: Object.fromEntries(pairs) };
}

/**
 * The scorer, and its number, that give the reward of a log: those that were named, else the first scorer listed. null
 * when nothing was scored.
 *
 * @param listed `eval.scorers` of the log, in the order in which they ran
 * @throws SchemaError `bad_option` for a scorer that is not there, and for several numbers of which none is named
 */
export function chosenScore(samples: Iterable<unknown>, listed: unknown, options: ReadOptions): InspectChoice | null {
  const keys = keysByScorer(samples);
  if (keys.size === 0) return null;
  const order = (Array.isArray(listed) ? listed : []).map((scorer) => (isObject(scorer) ? scorer.name : scorer));
  const names = [...order.filter((name): name is string => typeof name === "string" && keys.has(name)), ...keys.keys()];
  const scorers = [...new Set(names)];
  const { scorer = scorers[0]!, scoreKey } = options;
  if (!keys.has(scorer)) {
    throw new SchemaError(
      "bad_option",
      `No sample was scored by ${scorer}.`,
      `Pass scorer as one of ${scorers.join(", ")}.`,
    );
  }
  const others = scorers.filter((name) => name !== scorer);
  const parts = [...keys.get(scorer)!];
  if (parts.length === 0) return { scorer, marker: scorer, others };
  const part = scoreKey ?? (parts.length === 1 ? parts[0]! : undefined);
  if (part === undefined || !parts.includes(part)) {
    throw new SchemaError(
      "bad_option",
      part === undefined
        ? `The scorer ${scorer} gives ${parts.length} numbers a sample.`
        : `The scorer ${scorer} gives no number ${part}.`,
      `Pass scoreKey as one of ${parts.join(", ")}.`,
    );
  }
  return { scorer, marker: `${scorer}.${part}`, others };
}

/** The scorers of all samples, each with the keys of its value; without keys where the value is a number or a word. */
function keysByScorer(samples: Iterable<unknown>): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  for (const sample of samples) {
    if (!isObject(sample)) continue;
    for (const [scorer, score] of Object.entries(givenScores(sample))) {
      const found = keys.get(scorer) ?? new Set<string>();
      const value = isObject(score) ? score.value : score;
      if (isObject(value)) for (const key of Object.keys(value)) found.add(key);
      keys.set(scorer, found);
    }
  }
  return keys;
}

/** The scores of a sample by their scorer; the first logs had one without a name. */
export function givenScores({ scores, score }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (isObject(scores)) return scores;
  return isObject(score) ? { score } : {};
}

function numberOf(value: unknown): number | null {
  if (typeof value !== "string") return labelOf(value);
  const word = WORDS.get(value) ?? WORDS.get(value.toLowerCase());
  if (word !== undefined) return word;
  return value.trim() === "" ? null : labelOf(Number(value));
}
