import * as z from "zod";
import { WRITE_RUNS } from "./agents.ts";
import { behaviorName } from "./behaviors.ts";
import { EXAMPLES_MAX, LARGE_BODY_MAX_BYTES, NAME_MAX, SCORES_PER_CALL } from "./caps.ts";
import { atLeast, count, instant, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";

/** One graded row: what was asked, what came back, whether it passed, and why. */
export interface Example {
  ok: boolean;
  prompt?: string | null;
  reply?: string | null;
  reference?: string | null;
  detail?: string | null;
  why?: string | null;
  score?: number | null;
  /** At most 8, which the breakdown of rows goes by. */
  tags?: Record<string, string> | null;
}

const cutText = opt(z.string().meta({ description: "Cut in the middle where it is longer than is stored." }));

/** Texts and tags of any length: `cutExample` brings them to what is stored, and nothing is refused for its length. */
export const exampleSchema: z.ZodType<Example> = z
  .object({
    ok: z.boolean(),
    prompt: cutText,
    reply: cutText,
    reference: cutText,
    detail: cutText,
    why: cutText,
    score: opt(z.number()),
    tags: opt(z.record(z.string(), z.string())),
  })
  .meta({ id: "Example" });

/** A score of one behavior, in points of 100. */
export interface Score {
  behavior: string;
  score: number;
  /** Half of the 95% interval, in points. */
  ci?: number | null;
  /** Tasks behind it. */
  n?: number | null;
  testVersion?: string | null;
  /** The run's own version by default. */
  version?: string | null;
  /** A sample of its rows. */
  examples?: Example[] | null;
}

const scoreFields = {
  behavior: behaviorName,
  score: z.number(),
  ci: opt(atLeast(0)),
  n: opt(count(1)),
  testVersion: opt(text(NAME_MAX)),
  version: opt(text(NAME_MAX)),
  examples: opt(z.array(exampleSchema).max(EXAMPLES_MAX)),
};

export const scoreSchema: z.ZodType<Score> = z.object(scoreFields).meta({ id: "Score" });

/** As it is stored: with the time of the server, whatever the sender said. */
export interface StoredScore extends Score {
  createdAt: string;
  /** Graded rows stored behind it. */
  rows?: number | null;
  /** How many their sender said there would be. */
  rowsExpected?: number | null;
  /** What the rows say by themselves, in points; null in lists, and until all of them are there. */
  rowsScore?: number | null;
}

export const storedScoreSchema: z.ZodType<StoredScore> = z
  .object({
    ...scoreFields,
    // In lists a sample row is its `ok` alone.
    createdAt: instant,
    rows: opt(count()),
    rowsExpected: opt(count()),
    rowsScore: opt(z.number()),
  })
  .meta({ id: "StoredScore" });

export const postEvals: Route<Score[], { evals: StoredScore[] }> = route({
  id: "postEvals",
  call: "POST /runs/{id}/evals",
  summary: "Scores; one counts for each run, behavior and test, the older ones stay in its history.",
  tag: "scores",
  scopes: WRITE_RUNS,
  body: z.array(scoreSchema).min(1).max(SCORES_PER_CALL),
  maxBytes: LARGE_BODY_MAX_BYTES,
  answer: z.object({ evals: z.array(storedScoreSchema) }),
  errors: ["not_found", "too_large", "invalid_field"],
});
