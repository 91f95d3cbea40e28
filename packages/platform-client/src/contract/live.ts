import * as z from "zod";
import { WRITE_RUNS } from "./agents.ts";
import { LIVE_DAYS_PER_CALL, NAME_MAX } from "./caps.ts";
import { atLeast, count, day, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";

/** One day of traffic of one version. */
export interface LiveDay {
  /** `YYYY-MM-DD`. */
  day: string;
  version: string;
  replies: number;
  /** Replies that something or somebody complained of. */
  flagged?: number | null;
  /** Median seconds of a reply. */
  p50s?: number | null;
  costUsd?: number | null;
}

export interface PostedDay extends LiveDay {
  agent: string;
}

export const liveDaySchema: z.ZodType<PostedDay> = z
  .object({
    agent: text(NAME_MAX, 1),
    day,
    version: text(NAME_MAX, 1),
    replies: count(),
    flagged: opt(count()),
    p50s: opt(atLeast(0)),
    costUsd: opt(atLeast(0)),
  })
  .refine(({ replies, flagged }) => (flagged ?? 0) <= replies, {
    error: "is more than there were replies",
    path: ["flagged"],
  })
  .meta({ id: "LiveDay" });

export const postLive: Route<PostedDay[], { days: number }> = route({
  id: "postLive",
  call: "POST /live",
  summary: "Days of traffic; the same agent, day and version again replaces the day.",
  tag: "live",
  scopes: WRITE_RUNS,
  body: z.array(liveDaySchema).min(1).max(LIVE_DAYS_PER_CALL),
  answer: z.object({ days: z.int() }),
  errors: ["not_found", "invalid_field"],
});
