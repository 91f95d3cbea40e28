import * as z from "zod";
import { WRITE_RUNS } from "./agents.ts";
import { LARGE_BODY_MAX_BYTES, POINTS_PER_LOG, POINTS_PER_TRAIN } from "./caps.ts";
import { count, opt } from "./field.ts";
import { type Route, route } from "./route.ts";

/** A step of a curve. Other keys are series under the sender's own names; null is a gap. */
export interface TrainPoint {
  step: number;
  /** Seconds since 1970. */
  ts?: number | null;
  reward?: number | null;
  kl?: number | null;
  loss?: number | null;
  [series: string]: unknown;
}

/**
 * Only `step` is checked. A value that is no finite number is dropped and counted where the point is read
 * (`readPoint`), as one bad number in a batch of a training loop must not cost the rest.
 */
export const trainPointSchema: z.ZodType<TrainPoint> = z
  .object({ step: count() })
  .catchall(z.unknown())
  .meta({ id: "TrainPoint" }) as unknown as z.ZodType<TrainPoint>;

/** What became of a batch: a point of a known step replaces its values, so that sending it again changes nothing. */
export interface PointsStored {
  points: number;
  stored: number;
  replaced: number;
  /** Values that were no finite numbers. */
  dropped: number;
}

const storedFields = { stored: z.int(), replaced: z.int(), dropped: z.int() };

export const postTrain: Route<TrainPoint[], PointsStored> = route({
  id: "postTrain",
  call: "POST /runs/{id}/train",
  summary: `Points of a tracked run, at most ${POINTS_PER_TRAIN}; one per step, later values win.`,
  tag: "points",
  scopes: WRITE_RUNS,
  body: z.array(trainPointSchema).min(1).max(POINTS_PER_TRAIN),
  maxBytes: LARGE_BODY_MAX_BYTES,
  answer: z.object({ points: z.int(), ...storedFields }),
  errors: ["not_found", "too_large", "invalid_field"],
});

export interface LogBody {
  points: TrainPoint[];
  /** The denominator of the progress bar from now on. */
  total_steps?: number | null;
}

export interface Logged {
  runId: string;
  logged: number;
  stored: number;
  replaced: number;
  /** Values that were no finite numbers. */
  dropped: number;
  /** The same number under the name of the training calls. */
  rejected: number;
}

export const postLog: Route<LogBody, Logged> = route({
  id: "postLog",
  call: "POST /runs/{id}/log",
  summary: `Points of a training run, at most ${POINTS_PER_LOG}, and its number of steps.`,
  tag: "points",
  scopes: WRITE_RUNS,
  body: z
    .object({ points: z.array(trainPointSchema).max(POINTS_PER_LOG), total_steps: opt(count()) })
    .meta({ id: "LogBody" }),
  maxBytes: LARGE_BODY_MAX_BYTES,
  answer: z.object({ runId: z.string(), logged: z.int(), ...storedFields, rejected: z.int() }),
  errors: ["not_found", "too_large", "invalid_field"],
});
