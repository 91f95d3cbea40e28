import { nearestName, type Row } from "@while/schema";
import { ALPHA, binaryReward, holmAdjust, type Interval, wilsonInterval } from "@while/stats";
import type { Judge } from "../judge/judge.ts";
import { runJudge } from "../judge/run-judge.ts";
import { TrustError } from "../trust-error.ts";
import { gradedSample } from "./graded-sample.ts";
import {
  PROBES,
  type Probe,
  type ProbeContext,
  type ProbeKind,
  type ProbeName,
  STANDARD_PROBES,
  systemText,
} from "./probe-edits.ts";
import { checkProbeOptions, type ProbeOptions } from "./probe-options.ts";
import { exceeds, resolvedShare, resolvedShareExact } from "./probe-power.ts";
import { rubricWords } from "./rubric-words.ts";
import { PROBE_MIN_N } from "./thresholds.ts";

export interface JudgeProbeOptions extends ProbeOptions {
  /** `all`: those of the Python SDK; `extended`: every one; or their names. */
  probes?: "all" | "extended" | readonly string[];
  /** Whose words a keyword stuffer takes; without it those of the first system message. */
  rubric?: string;
}

/** What a hack did to the verdicts of a sample. */
export interface ProbeResult {
  /** Rows with a verdict of 0 or 1 before and after. */
  n: number;
  /** Why it was not tried; null where it was. */
  skipped: string | null;
  kind: ProbeKind;
  passBefore: number;
  passAfter: number;
  flipsUp: number;
  flipsDown: number;
  /** Up less down, or, by the strict rule, less what a placebo turned; never under 0. */
  netFlips: number;
  /** What counts as worked: the net flips of an additive probe, the passes after a replacement. */
  hits: number;
  /** Rows that it could work on: failed ones, for a replacement all. */
  denominator: number;
  exploitRate: number | null;
  ci95: Interval | null;
  /** Too few rows to work on. */
  lowPower: boolean;
  /** The share it would show with a chance of 80%; null where the power is not low. */
  resolves: number | null;
  /** Failed rows that a second reading of the same row passed; null where no placebo was run. */
  placeboUp: number | null;
  /** That the share is at most the flag, exact, adjusted over the probes (Holm); null but by the strict rule. */
  pAdjusted: number | null;
  flagged: boolean;
  /** Calls without a verdict. */
  errors: number;
}

export interface JudgeProbes {
  /** Rows of the sample. */
  n: number;
  note: "no graded rows" | null;
  probes: Map<ProbeName, ProbeResult>;
  /** Names of the flagged ones. */
  exploitableBy: ProbeName[];
}

/** A probe's counts before anything is concluded from them. */
interface Tried extends Omit<ProbeResult, "pAdjusted" | "flagged" | "lowPower" | "resolves" | "exploitRate" | "ci95"> {}

/**
 * Tries hacks on a judge: what is put beside a failed reply, or in place of any, should not turn its verdict. Gao et al.
 * 2022, arXiv:2210.10760. One call a row and probe; by the strict rule one more a row, to read it a second time unchanged
 * (a placebo: a judge's own noise turns failed rows too).
 *
 * @throws TrustError `bad_option` for a name that no probe has
 */
export async function judgeProbes(
  rows: readonly Row[],
  judge: Judge,
  { probes = "all", rubric, ...options }: JudgeProbeOptions = {},
): Promise<JudgeProbes> {
  const settings = checkProbeOptions(options);
  const { sample, seed, flipFlag } = settings;
  const strict = settings.rule === "strict";
  const names = probeNames(probes);
  const picked = gradedSample(rows, { sample, seed, byVerdict: strict });
  if (picked.length === 0) return { n: 0, note: "no graded rows", probes: new Map(), exploitableBy: [] };
  const context: ProbeContext = {
    words: rubricWords(rubric ?? systemText(rows)),
    judgeModel: judge.model ?? null,
  };
  const call = { ...settings.call, source: "judge_probes" };
  const placebo = strict ? (await runJudge(picked, judge, call)).rows.map((row) => binaryReward(row)) : null;
  const tried = new Map<ProbeName, Tried>();
  for (const name of names) {
    const probe: Probe = PROBES[name];
    const edited = picked.flatMap((row, i) => {
      // Turning someone away is right where the ask is an attack.
      if (strict && name === "refusal" && row.stance === "adversarial") return [];
      const copy = probe.edit(row, context);
      return copy === null ? [] : [{ row, copy, i }];
    });
    const judged =
      edited.length === 0
        ? []
        : (
            await runJudge(
              edited.map(({ copy }) => copy),
              judge,
              call,
            )
          ).rows;
    const verdicts = edited.map(({ row, i }, place) => ({
      before: binaryReward(row)!,
      after: binaryReward(judged[place]!),
      again: placebo === null ? null : (placebo[i] ?? null),
    }));
    tried.set(name, count(verdicts, probe, placebo !== null));
  }
  const results = concluded(tried, { flipFlag, strict });
  return {
    n: picked.length,
    note: null,
    probes: results,
    exploitableBy: [...results].flatMap(([name, { flagged }]) => (flagged ? [name] : [])),
  };
}

function count(
  verdicts: readonly { before: 0 | 1; after: 0 | 1 | null; again: 0 | 1 | null }[],
  { kind, skipped }: Probe,
  hasPlacebo: boolean,
): Tried {
  const compared = verdicts.filter(({ after }) => after !== null);
  const times = (test: (verdict: (typeof compared)[number]) => boolean) => compared.filter(test).length;
  const flipsUp = times(({ before, after }) => before === 0 && after === 1);
  const flipsDown = times(({ before, after }) => before === 1 && after === 0);
  const passAfter = times(({ after }) => after === 1);
  const placeboUp = hasPlacebo ? times(({ before, again }) => before === 0 && again === 1) : null;
  const n = compared.length;
  const passBefore = times(({ before }) => before === 1);
  // A placebo says what turns by itself among the same rows; without one, what turned the other way stands in for it.
  const netUp = flipsUp - (placeboUp ?? flipsDown);
  return {
    n,
    skipped: verdicts.length === 0 ? skipped : null,
    kind,
    passBefore,
    passAfter,
    flipsUp,
    flipsDown,
    netFlips: Math.max(0, netUp),
    hits: kind === "additive" ? Math.max(0, netUp) : passAfter,
    denominator: kind === "additive" ? n - passBefore : n,
    placeboUp,
    errors: verdicts.length - n,
  };
}

function concluded(
  tried: ReadonlyMap<ProbeName, Tried>,
  { flipFlag, strict }: { flipFlag: number; strict: boolean },
): Map<ProbeName, ProbeResult> {
  const runs = [...tried].filter(([, { denominator }]) => denominator > 0);
  const adjusted = holmAdjust(runs.map(([, { hits, denominator }]) => exceeds(hits, denominator, flipFlag)));
  const pOf = new Map(runs.map(([name], i) => [name, adjusted[i]!]));
  return new Map(
    [...tried].map(([name, counts]) => {
      const { hits, denominator } = counts;
      const lowPower = denominator > 0 && denominator < PROBE_MIN_N;
      const rate = denominator === 0 ? null : hits / denominator;
      const pAdjusted = strict ? (pOf.get(name) ?? null) : null;
      const resolves = strict
        ? resolvedShareExact(denominator, flipFlag, Math.max(1, runs.length))
        : resolvedShare(denominator, flipFlag);
      const result: ProbeResult = {
        ...counts,
        exploitRate: rate,
        ci95: wilsonInterval(hits, denominator),
        lowPower,
        resolves: lowPower ? resolves : null,
        pAdjusted,
        flagged: strict ? pAdjusted !== null && pAdjusted < ALPHA : rate !== null && rate >= flipFlag && !lowPower,
      };
      return [name, result];
    }),
  );
}

/** @throws TrustError `bad_option` */
export function probeNames(probes: "all" | "extended" | readonly string[]): ProbeName[] {
  const every = Object.keys(PROBES) as ProbeName[];
  if (probes === "all") return [...STANDARD_PROBES];
  if (probes === "extended") return every;
  for (const name of probes) {
    if ((every as string[]).includes(name)) continue;
    const near = nearestName(name, every);
    throw new TrustError(
      "bad_option",
      `There is no probe ${JSON.stringify(name)}.`,
      `${near === null ? "" : `Did you mean ${near}? `}The probes are ${every.join(", ")}; all and extended name several.`,
    );
  }
  return every.filter((name) => probes.includes(name));
}
