import * as z from "zod";
import { DISMISSIBLE, type Dismissible } from "./dismissals.ts";
import { instant, opt } from "./field.ts";

/** What may be said of a candidate against the served version. */
export const VERDICT_KINDS = [
  "serving_only",
  "no_score",
  "same_version",
  "no_interval",
  "about_same",
  "inside_floor",
  "beats",
  "trails",
  "not_comparable",
] as const;

export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** The line that a person reads before Promote, and all it rests on. Scores are points of 100. */
export interface Verdict {
  kind: VerdictKind;
  candidate: string | null;
  serving: string | null;
  behavior: string | null;
  /** Candidate minus served, one decimal. */
  delta: number | null;
  /** √(ci² + ci²) of the two. */
  halfWidth: number | null;
  excludesZero: boolean | null;
  /** Tests that the two were scored on; null where nobody named them. */
  candidateTest: string | null;
  servedTest: string | null;
  noiseFloor: number | null;
  n: number | null;
  judgeAgreement: number | null;
  judgeHumanN: number | null;
  rewardIsJudge: boolean | null;
  gradedBy: "program" | "judge" | null;
  contamination: number | null;
  /** Other behaviors on which another run beats the served version too. */
  replicated: string[];
  /** Other behaviors whose newest score is lower than the served one. */
  regressions: number;
  regressionNames: string[];
  /** Of those, the ones that chance does not explain: intervals exclude zero, Holm over all behaviors compared. */
  regressionsClear: string[];
  /** Other behaviors that could be compared: half of them come out lower when nothing changed. */
  compared: number;
  /** Other seeds of the candidate's version that beat the served one on the same test. */
  replicatedSeeds?: number[] | null;
  /** Versions scored against the served one on this test since it was scored: the best of many looks better than it is. */
  tried: number;
  /** Points by which the best of them would lie above the served one on average, were all of them equal to it. */
  expectedBest?: number | null;
  /** What a claim lacks. */
  gaps: string[];
  /** What the number rests on. */
  rests: string[];
  rules: "strict" | "compat";
  /** The line itself. */
  text: string;
}

const words = z.array(z.string());

export const verdictSchema: z.ZodType<Verdict> = z
  .object({
    kind: z.enum(VERDICT_KINDS),
    candidate: z.string().nullable(),
    serving: z.string().nullable(),
    behavior: z.string().nullable(),
    delta: z.number().nullable(),
    halfWidth: z.number().nullable(),
    excludesZero: z.boolean().nullable(),
    candidateTest: z.string().nullable(),
    servedTest: z.string().nullable(),
    noiseFloor: z.number().nullable(),
    n: z.int().nullable(),
    judgeAgreement: z.number().nullable(),
    judgeHumanN: z.int().nullable(),
    rewardIsJudge: z.boolean().nullable(),
    gradedBy: z.enum(["program", "judge"]).nullable(),
    contamination: z.int().nullable(),
    replicated: words,
    regressions: z.int(),
    regressionNames: words,
    regressionsClear: words,
    compared: z.int(),
    replicatedSeeds: opt(z.array(z.int())),
    tried: z.int(),
    expectedBest: opt(z.number()),
    gaps: words,
    rests: words,
    rules: z.enum(["strict", "compat"]),
    text: z.string(),
  })
  .meta({ id: "Verdict" });

/** Keys of the eight checks, in the order they are shown. */
export const EVAL_CHECKS = [
  "frozen",
  "size",
  "judge",
  "length",
  "noise",
  "contamination",
  "reward",
  "canfail",
] as const;

export type EvalCheckKey = (typeof EVAL_CHECKS)[number];

/** One thing that a held-out test must have. */
export interface EvalCheck {
  key: EvalCheckKey;
  label: string;
  /** Null when it cannot be measured yet, which does not count against it. */
  ok: boolean | null;
  value: string;
  /** The failure in words. */
  why: string;
  /** What to do, in words. */
  action: string;
  /** When it holds. */
  rule: string;
  cite: string;
  /** The call that does it. */
  fix: string;
}

/** Can this behavior's test prove a gain? */
export interface EvalHealth {
  name: string;
  checks: EvalCheck[];
  good: number;
  /** Checks that could be measured. */
  total: number;
  /** `good`, or `weak · ` and what fails. */
  verdict: string;
}

export const evalHealthSchema: z.ZodType<EvalHealth> = z
  .object({
    name: z.string(),
    checks: z.array(
      z
        .object({
          key: z.enum(EVAL_CHECKS),
          label: z.string(),
          ok: z.boolean().nullable(),
          value: z.string(),
          why: z.string(),
          action: z.string(),
          rule: z.string(),
          cite: z.string(),
          fix: z.string(),
        })
        .meta({ id: "EvalCheck" }),
    ),
    good: z.int(),
    total: z.int(),
    verdict: z.string(),
  })
  .meta({ id: "EvalHealth" });

/** Something to do next: the sentence, and the call that does it in both languages. */
export interface Step {
  say: string;
  cmd: string;
  cmdPython?: string | null;
  /** What it is dismissed by, on each of `runs`; absent where it cannot be. */
  key?: Dismissible | null;
  /** Runs whose dismissal takes the step away. */
  runs?: string[] | null;
}

/** What would be asked of a run, had nobody said that it may stay as it is. */
export interface DismissedStep {
  key: Dismissible;
  run: string;
  say: string;
  reason: string;
  by: string | null;
  at: string;
}

/** What happened, what it means, what to do next: in sentences. */
export interface Brief {
  agent: string;
  url: string;
  happened: string[];
  means: string;
  /** At most three. */
  next: Step[];
  /** Runs with a score. */
  scored: number;
  /** What a person cannot read yet. */
  readable: Step[];
  /** Of that, what was dismissed with a reason. */
  dismissed?: DismissedStep[] | null;
}

const steps = z.array(
  z
    .object({
      say: z.string(),
      cmd: z.string(),
      cmdPython: opt(z.string()),
      key: opt(z.enum(DISMISSIBLE)),
      runs: opt(words),
    })
    .meta({ id: "Step" }),
);

export const briefSchema: z.ZodType<Brief> = z
  .object({
    agent: z.string(),
    url: z.string(),
    happened: words,
    means: z.string(),
    next: steps,
    scored: z.int(),
    readable: steps,
    dismissed: opt(
      z.array(
        z
          .object({
            key: z.enum(DISMISSIBLE),
            run: z.string(),
            say: z.string(),
            reason: z.string(),
            by: z.string().nullable(),
            at: instant,
          })
          .meta({ id: "DismissedStep" }),
      ),
    ),
  })
  .meta({ id: "Brief" });
