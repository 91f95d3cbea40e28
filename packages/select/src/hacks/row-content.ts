import { compareCodePoints, type Row } from "@while/schema";
import { handFeatures } from "./hand-features.ts";
import type { ScanSettings } from "./scan-options.ts";
import { scanText } from "./scan-text.ts";

/** All of a rollout that is scanned. */
export interface RowContent {
  reward: number;
  text: string;
  /** By the numbers of `FeatureNames`; NaN, or nothing at the end, where the row lacks a feature. */
  features: Float64Array;
  /** A hash: equal for rollouts that are alike in everything but the reward. */
  profile: number;
}

/** Numbers of feature names, so that a row holds numbers alone. */
export class FeatureNames {
  private readonly numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.numbers.set(name, this.numbers.size);
    return this.numbers.size - 1;
  }

  get size(): number {
    return this.numbers.size;
  }

  /** In an order that does not depend on that of rows: by kind as they are counted, then by name. */
  sorted(): { name: string; number: number }[] {
    return Array.from(this.numbers, ([name, number]) => ({ name, number, kind: kindOf(name) })).sort(
      (a, b) => a.kind - b.kind || compareCodePoints(a.name, b.name),
    );
  }
}

const PLAIN = ["reply_length", "tool_calls", "assistant_turns", "truncated"];
const KINDS = [/^n:words$/, /^n:digits$/, /^n:newlines$/, /^n:punct$/, /^frac:upper$/, /^tool:/, /^trace:/];

function kindOf(name: string): number {
  const plain = PLAIN.indexOf(name);
  if (plain >= 0) return plain;
  const kind = [...KINDS, /^logprob_mean$/, /^marker:/, /^/].findIndex((pattern) => pattern.test(name));
  return PLAIN.length + kind;
}

export function rowContent(row: Row, { reward, features: own }: ScanSettings, names: FeatureNames): RowContent {
  const text = scanText(row);
  const counted = handFeatures(row, { text, own });
  const profile = JSON.stringify([text, [...counted].sort(([a], [b]) => compareCodePoints(a, b))]);
  const numbers = Array.from(counted.keys(), (name) => names.numberOf(name));
  const features = new Float64Array(names.size).fill(Number.NaN);
  let i = 0;
  for (const value of counted.values()) features[numbers[i++]!] = value;
  return { reward: row[reward] as number, text, features, profile: hashOf(profile) };
}

/** Two sums of 32 bits as one number of 53 (after Appleby's MurmurHash3 mixing). */
function hashOf(text: string): number {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b & 0x1fffff) * 2 ** 32 + (a >>> 0);
}

/**
 * Rollouts of an ask, and asks, ordered by what is scanned of them: a shuffle draws places, and then neither the order
 * of rows nor the name of an ask changes a report.
 */
export function inContentOrder(groups: readonly (readonly RowContent[])[]): RowContent[][] {
  const byContent = (a: RowContent, b: RowContent): number => a.reward - b.reward || a.profile - b.profile;
  return groups
    .map((group) => [...group].sort(byContent))
    .sort((a, b) => {
      for (let i = 0; i < Math.min(a.length, b.length); i++) {
        const order = byContent(a[i]!, b[i]!);
        if (order !== 0) return order;
      }
      return a.length - b.length;
    });
}
