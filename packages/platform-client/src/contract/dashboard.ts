import * as z from "zod";
import { READ_RUNS, type TrackedInfo, trackedInfoSchema } from "./agents.ts";
import { type Behavior, behaviorSchema } from "./behaviors.ts";
import { instant, opt } from "./field.ts";
import { queryCount, queryFlag, type Route, route } from "./route.ts";
import { type RunRecord, runRecordSchema } from "./run-record.ts";
import { type Brief, briefSchema, type EvalHealth, evalHealthSchema, type Verdict, verdictSchema } from "./verdict.ts";

/** Several seeds of one version on one test. */
export interface SeedPool {
  seeds: number;
  /** Points, one decimal. */
  mean: number;
  /** Between seeds, in points, two decimals. */
  sd: number;
}

/** The newest score of one version on one behavior. */
export interface VersionScore {
  v: string;
  score: number;
  ci?: number | null;
  n?: number | null;
  run?: string | null;
  testVersion?: string | null;
  /** Where more than one run of the version names its seed. */
  pooled?: SeedPool | null;
}

const versionScoreFields = {
  v: z.string(),
  score: z.number(),
  ci: opt(z.number()),
  n: opt(z.int()),
  run: opt(z.string()),
  testVersion: opt(z.string()),
  pooled: opt(z.object({ seeds: z.int(), mean: z.number(), sd: z.number() }).meta({ id: "SeedPool" })),
};

export const versionScoreSchema: z.ZodType<VersionScore> = z.object(versionScoreFields).meta({ id: "VersionScore" });

type Series = (number | null)[];

const series = z.array(z.number().nullable());

/** A training curve: every series has a value or null at each step. */
export interface TrainCurve {
  run: string;
  method?: string | null;
  base?: string | null;
  hours?: number | null;
  gpu?: string | null;
  costUsd?: number | null;
  status?: string | null;
  trainedOn: string[];
  targets: string[];
  steps: number[];
  reward: Series;
  kl: Series;
  loss: Series;
  completionLength: Series;
  clipRatio: Series;
  /** Every other name that was logged. */
  series: Record<string, Series>;
  /** Steps there are when `steps` was thinned; the extremes of each stretch are among those shown. */
  totalPoints: number;
  record?: RunRecord | null;
}

export const trainCurveSchema: z.ZodType<TrainCurve> = z
  .object({
    run: z.string(),
    method: opt(z.string()),
    base: opt(z.string()),
    hours: opt(z.number()),
    gpu: opt(z.string()),
    costUsd: opt(z.number()),
    status: opt(z.string()),
    trainedOn: z.array(z.string()),
    targets: z.array(z.string()),
    steps: z.array(z.int()),
    reward: series,
    kl: series,
    loss: series,
    completionLength: series,
    clipRatio: series,
    series: z.record(z.string(), series),
    totalPoints: z.int(),
    record: opt(runRecordSchema),
  })
  .meta({ id: "TrainCurve" });

/** Candidate minus served on one behavior, in points. */
export interface Delta {
  name: string;
  candidate: number | null;
  serving: number | null;
  delta: number | null;
  /** Half of the interval of the difference; null when a side has none. */
  halfWidth: number | null;
  /** The run claims to move it. */
  target: boolean;
}

/** Days of traffic, each list as long as `days`. */
export interface LiveSeries {
  days: string[];
  version: (string | null)[];
  /** Percent of the day's replies, two decimals; null without replies. */
  flaggedPct: Series;
  p50s: Series;
  replies: number[];
  /** First day of the served version. */
  servedAtIndex: number | null;
  /** Over the seven days that end on the last one reported. */
  replies7d: number;
  newFailures: number;
  /** USD per 1,000 replies, over the days of those seven that report a cost. */
  costPer1k: number | null;
}

export const liveSeriesSchema: z.ZodType<LiveSeries> = z
  .object({
    days: z.array(z.string()),
    version: z.array(z.string().nullable()),
    flaggedPct: series,
    p50s: series,
    replies: z.array(z.int()),
    servedAtIndex: z.int().nullable(),
    replies7d: z.int(),
    newFailures: z.int(),
    costPer1k: z.number().nullable(),
  })
  .meta({ id: "LiveSeries" });

/** The Runs page as data: one agent, one behavior. */
export interface Dashboard {
  agent: TrackedInfo;
  /** Null before one is declared. */
  behavior: Behavior | null;
  behaviors: string[];
  /** By time. */
  versions: VersionScore[];
  train: TrainCurve | null;
  deltas: Delta[];
  live: LiveSeries;
  verdict: Verdict;
}

export interface DashboardQuery {
  behavior?: string | null;
  /** False leaves the points out of `train`: a page asks for the curve by itself, and does not wait for a million of them. */
  train?: boolean | null;
}

export const getDashboard: Route<null, Dashboard, DashboardQuery> = route({
  id: "getDashboard",
  call: "GET /agents/{id}/dashboard",
  summary: "The Runs page as data; `train=0` leaves out the points of its curve.",
  tag: "agents",
  scopes: READ_RUNS,
  query: z.object({ behavior: opt(z.string()), train: opt(queryFlag) }),
  answer: z
    .object({
      agent: trackedInfoSchema,
      behavior: behaviorSchema.nullable(),
      behaviors: z.array(z.string()),
      versions: z.array(versionScoreSchema),
      train: trainCurveSchema.nullable(),
      deltas: z.array(
        z
          .object({
            name: z.string(),
            candidate: z.number().nullable(),
            serving: z.number().nullable(),
            delta: z.number().nullable(),
            halfWidth: z.number().nullable(),
            target: z.boolean(),
          })
          .meta({ id: "Delta" }),
      ),
      live: liveSeriesSchema,
      verdict: verdictSchema,
    })
    .meta({ id: "Dashboard" }),
  errors: ["not_found"],
});

/** Every behavior of an agent with the newest score of each version, by time: the climb of each in one call. */
export interface AgentScores {
  behaviors: { name: string; versions: (VersionScore & { at: string })[] }[];
}

export const getAgentScores: Route<null, AgentScores> = route({
  id: "getAgentScores",
  call: "GET /agents/{id}/scores",
  summary: "Every behavior, and the newest score of each version on it, by time.",
  tag: "agents",
  scopes: READ_RUNS,
  answer: z.object({
    behaviors: z.array(
      z.object({
        name: z.string(),
        versions: z.array(z.object({ ...versionScoreFields, at: instant })),
      }),
    ),
  }),
  errors: ["not_found"],
});

export interface CurveQuery {
  /** Steps to show, at most. */
  points?: number | null;
  from?: number | null;
  to?: number | null;
  scale?: "linear" | "log" | null;
  /** Of the series without a place of their own, only these; may be given more than once. */
  series?: string | string[] | null;
}

export const getCurve: Route<null, TrainCurve, CurveQuery> = route({
  id: "getCurve",
  call: "GET /runs/{id}/curve",
  summary: "The curve of a run, thinned to what a chart shows: each stretch keeps the extremes of every series.",
  tag: "runs",
  scopes: READ_RUNS,
  query: z.object({
    points: opt(queryCount(2, 20_000)),
    from: opt(queryCount(0, 1e12)),
    to: opt(queryCount(0, 1e12)),
    scale: opt(z.enum(["linear", "log"])),
    series: opt(z.union([z.string(), z.array(z.string())])),
  }),
  answer: trainCurveSchema,
  errors: ["not_found"],
});

export const getVerdict: Route<null, Verdict, { behavior?: string | null; version?: string | null }> = route({
  id: "getVerdict",
  call: "GET /agents/{id}/verdict",
  summary: "The line before Promote, on one behavior and for one candidate.",
  tag: "agents",
  scopes: READ_RUNS,
  query: z.object({ behavior: opt(z.string()), version: opt(z.string()) }),
  answer: verdictSchema,
  errors: ["not_found"],
});

export const getBrief: Route<null, Brief, { behavior?: string | null }> = route({
  id: "getBrief",
  call: "GET /agents/{id}/brief",
  summary: "What happened, what it means, what to do next.",
  tag: "agents",
  scopes: READ_RUNS,
  query: z.object({ behavior: opt(z.string()) }),
  answer: briefSchema,
  errors: ["not_found"],
});

export const getEvals: Route<null, { evals: EvalHealth[] }> = route({
  id: "getEvals",
  call: "GET /agents/{id}/evals",
  summary: "Eight checks of each behavior's test.",
  tag: "behaviors",
  scopes: READ_RUNS,
  answer: z.object({ evals: z.array(evalHealthSchema) }),
  errors: ["not_found"],
});
