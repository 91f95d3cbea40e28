import { cutCodePoints } from "@while/schema";
import {
  EXAMPLE_TEXT_MAX,
  EXAMPLE_WHY_MAX,
  EXAMPLES_MAX,
  ROW_TEXT_MAX,
  SAMPLE_FAILS,
  TAG_KEY_MAX,
  TAG_VALUE_MAX,
  TAGS_MAX,
} from "../contract/caps.ts";
import type { Example } from "../contract/scores.ts";
import { cutMiddle } from "./middle-cut.ts";

/** A row as it is stored, and what had to be cut for that. */
export interface CutExample {
  example: Example;
  /** Fields cut, each with its cap. */
  cut: { field: string; cap: number }[];
}

const STORED: readonly (readonly [field: "prompt" | "reply" | "reference" | "detail" | "why", cap: number])[] = [
  ["prompt", ROW_TEXT_MAX],
  ["reply", ROW_TEXT_MAX],
  ["reference", ROW_TEXT_MAX],
  ["detail", ROW_TEXT_MAX],
  ["why", EXAMPLE_WHY_MAX],
];

const SAMPLED: readonly (readonly [field: "prompt" | "reply", cap: number])[] = [
  ["prompt", EXAMPLE_TEXT_MAX],
  ["reply", EXAMPLE_TEXT_MAX],
];

/**
 * A graded row within what is stored: texts lose their middle, tags beyond the eighth are left out, and keys and values
 * of tags lose their end. Nothing is refused for its length.
 */
export function cutExample(example: Example): CutExample {
  const { example: short, cut } = cutFields(example, STORED);
  const { tags } = short;
  if (tags === undefined || tags === null) return { example: short, cut };
  const kept = Object.entries(tags).slice(0, TAGS_MAX);
  const within = kept.map(([key, value]) => [cutCodePoints(key, TAG_KEY_MAX), cutCodePoints(value, TAG_VALUE_MAX)]);
  const changed = JSON.stringify(within) !== JSON.stringify(Object.entries(tags));
  return {
    example: { ...short, tags: Object.fromEntries(within) },
    cut: changed ? [...cut, { field: "tags", cap: TAGS_MAX }] : cut,
  };
}

/** A row as it travels in the sample of a score, where prompt and reply are shorter still. */
export function cutSample(example: Example): CutExample {
  return cutFields(example, SAMPLED);
}

/** The rows that stand for all of them when nobody chose: the first failures, then the first passes. */
export function defaultSample<T extends { ok: boolean }>(rows: readonly T[]): T[] {
  const failures = rows.filter(({ ok }) => !ok);
  const passes = rows.filter(({ ok }) => ok);
  return [...failures.slice(0, SAMPLE_FAILS), ...passes].slice(0, EXAMPLES_MAX);
}

function cutFields(example: Example, caps: readonly (readonly [keyof Example, number])[]): CutExample {
  const short: Example = { ...example };
  const cut: CutExample["cut"] = [];
  for (const [field, cap] of caps) {
    const value = example[field];
    if (typeof value !== "string") continue;
    const { text, nCut } = cutMiddle(value, cap);
    if (nCut === null) continue;
    Object.assign(short, { [field]: text });
    cut.push({ field, cap });
  }
  return { example: short, cut };
}
