import type { Row } from "@while/schema";
import { ALPHA, binaryReward, type Interval, mcnemarExact, wilsonInterval } from "@while/stats";
import type { Judge } from "../judge/judge.ts";
import { runJudge } from "../judge/run-judge.ts";
import { TrustError } from "../trust-error.ts";
import { gradedSample } from "./graded-sample.ts";
import { checkProbeOptions, type ProbeOptions } from "./probe-options.ts";

/** The verdicts of a judge that is asked otherwise, beside those that stand on the rows. */
export interface VariantResult {
  /** Rows with a verdict of 0 or 1 from the judge on a second reading and from the variant. */
  n: number;
  /** Verdicts that the variant gives otherwise than the row has them. */
  flips: number;
  flipRate: number | null;
  ci95: Interval | null;
  flipsUp: number;
  flipsDown: number;
  /** Of the same rows, those that change on a second reading by the judge as it is. */
  flipsByItself: number;
  /** That the variant changes no more than a second reading does, exact (McNemar). */
  pValue: number | null;
  /** The lower bound of `flipRate` reaches the flag, and it is more than the judge changes by itself. */
  flagged: boolean;
  /** Calls of the variant without a verdict. */
  errors: number;
}

export interface VariantCheck {
  /** Rows of the sample. */
  n: number;
  note: "no graded rows" | null;
  variants: Map<string, VariantResult>;
  /** Names of the flagged ones. */
  fragileUnder: string[];
}

/**
 * Does a verdict hang on how the judge was asked? The same judge in other words, with its items in another order, at another
 * temperature (`judgeVariants`, or judges of your own) reads a sample of the rows. That a judge repeats itself at temperature
 * 0 is no evidence: it is determined, and may be guessing. One call a row and variant, and one more a row for what changes
 * by itself.
 *
 * @param variants By name; what each stands for is the caller's to say
 * @throws TrustError `bad_option`
 */
export async function variantCheck(
  rows: readonly Row[],
  judge: Judge,
  variants: Readonly<Record<string, Judge>>,
  options: ProbeOptions = {},
): Promise<VariantCheck> {
  const { sample, seed, flipFlag, call } = checkProbeOptions(options);
  checkVariants(variants);
  const picked = gradedSample(rows, { sample, seed, byVerdict: false });
  if (picked.length === 0) return { n: 0, note: "no graded rows", variants: new Map(), fragileUnder: [] };
  const named = { ...call, source: "judge_trust" };
  const again = (await runJudge(picked, judge, named)).rows.map((row) => binaryReward(row));
  const results = new Map<string, VariantResult>();
  for (const [name, variant] of Object.entries(variants)) {
    const judged = (await runJudge(picked, variant, named)).rows.map((row) => binaryReward(row));
    const read = picked.flatMap((row, i) => {
      const [own, other] = [again[i]!, judged[i]!];
      return own === null || other === null ? [] : [{ before: binaryReward(row)!, own, other }];
    });
    results.set(name, counted(read, judged.filter((verdict) => verdict === null).length, flipFlag));
  }
  const fragileUnder = [...results].flatMap(([name, { flagged }]) => (flagged ? [name] : []));
  return { n: picked.length, note: null, variants: results, fragileUnder };
}

function counted(
  read: readonly { before: 0 | 1; own: 0 | 1; other: 0 | 1 }[],
  errors: number,
  flipFlag: number,
): VariantResult {
  const times = (test: (one: (typeof read)[number]) => boolean) => read.filter(test).length;
  const n = read.length;
  const flips = times(({ before, other }) => other !== before);
  const ci95 = wilsonInterval(flips, n);
  const variantAlone = times(({ before, own, other }) => other !== before && own === before);
  const ownAlone = times(({ before, own, other }) => own !== before && other === before);
  const pValue = n === 0 ? null : mcnemarExact(ownAlone, variantAlone).pExact;
  const isMore = pValue !== null && pValue < ALPHA && variantAlone > ownAlone;
  return {
    ...{ n, flips, flipRate: n === 0 ? null : flips / n, ci95 },
    flipsUp: times(({ before, other }) => before === 0 && other === 1),
    flipsDown: times(({ before, other }) => before === 1 && other === 0),
    flipsByItself: times(({ before, own }) => own !== before),
    pValue,
    flagged: isMore && ci95![0] >= flipFlag,
    errors,
  };
}

/** @throws TrustError `bad_option` for what is no judge, or no name */
export function checkVariants(variants: Readonly<Record<string, Judge>>): void {
  for (const [name, judge] of Object.entries(variants)) {
    if (typeof judge === "function") continue;
    throw new TrustError(
      "bad_option",
      `The variant ${JSON.stringify(name)} is ${JSON.stringify(judge)}.`,
      "Pass judges by name, as judgeVariants makes them.",
    );
  }
}
