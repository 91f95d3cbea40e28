import { cutCodePoints, isObject, type Row, rowKey, textOf } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { FLAG_DESCRIPTIONS, FLAGS, TRACE_FLAGS } from "./flag-table.ts";
import { checkTraceOptions, isAtLeast, type TraceFlagOptions, traceHits } from "./trace-flags.ts";

export interface FlagSampleOptions extends TraceFlagOptions {
  /** Rows a flag on which it fired, and as many on which it did not. */
  perFlag?: number;
  seed?: number;
}

/** One row to be read for one flag. Whether it fired there is not said: a person who knows sees what they expect. */
export interface FlagQuestion {
  key: string;
  flag: string;
  /** What to look for. */
  question: string;
  prompt: string;
  finalText: string;
}

const PER_FLAG = 20;
const SHOWN_CHARS = 2000;

/**
 * Rows for people to read, so that a flag's precision and recall are measured on your own rollouts: of each flag that fired
 * some rows where it did and as many where it did not, drawn by seed and shuffled. Answered with `label` 1 or 0 they are
 * labels for `traceFlagReport`.
 *
 * @throws TrustError `bad_option`; StatsError `bad_seed`
 */
export function flagSample(rows: readonly Row[], options: FlagSampleOptions = {}): FlagQuestion[] {
  const { rules, minSeverity } = checkTraceOptions(options, ["perFlag", "seed"]);
  const { perFlag = PER_FLAG, seed = 0, kinds } = options;
  if (!Number.isSafeInteger(perFlag) || perFlag < 1) {
    throw new TrustError("bad_option", `perFlag is ${perFlag}.`, "Give a whole number of 1 or more.");
  }
  const random = new MersenneTwister(seed);
  const own = rows.filter(isObject) as Row[];
  const names = rules === "v1" ? TRACE_FLAGS : FLAGS.map(({ name }) => name);
  const firedOn = new Map(names.map((name) => [name, new Set<number>()]));
  const unreadable = new Set<number>();
  for (const [i, row] of own.entries()) {
    const found = traceHits(row, { kinds, rules });
    if (found.unreadable) unreadable.add(i);
    for (const [flag, hits] of found.hits) {
      if (hits.some(({ severity }) => isAtLeast(severity, minSeverity))) firedOn.get(flag)?.add(i);
    }
  }
  const questions: FlagQuestion[] = [];
  for (const [flag, fired] of firedOn) {
    if (fired.size === 0) continue;
    const quiet = own.flatMap((_, i) => (fired.has(i) || unreadable.has(i) ? [] : [i]));
    const drawn = [...draw([...fired], perFlag, random), ...draw(quiet, perFlag, random)];
    for (const i of random.shuffle(drawn)) questions.push(questionOf(own[i]!, flag));
  }
  return questions;
}

function draw(places: readonly number[], n: number, random: MersenneTwister): number[] {
  return places.length <= n ? [...places] : random.shuffle(places).slice(0, n);
}

function questionOf(row: Row, flag: string): FlagQuestion {
  return {
    ...{ key: rowKey(row), flag, question: `the agent ${FLAG_DESCRIPTIONS.get(flag)!}` },
    prompt: cutCodePoints(textOf(row.prompt), SHOWN_CHARS),
    finalText: cutCodePoints(textOf(row.final_text), SHOWN_CHARS),
  };
}
