import * as z from "zod";
import {
  AGENT_ID_MAX,
  AGENT_TEXT_MAX_BYTES,
  DESCRIPTION_MAX,
  LONG_DESCRIPTION_MAX,
  MODEL_MAX,
  NAME_MAX,
} from "./caps.ts";
import { atLeast, instant, named, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";
import type { Scope } from "./scope.ts";
import { VERDICT_KINDS, type VerdictKind } from "./verdict.ts";

/** Any of them may look at agents and their runs: a trainer's key and a reader's alike. */
export const READ_RUNS: readonly Scope[] = ["data:read", "eval:read", "runs:write"];
export const WRITE_RUNS: readonly Scope[] = ["runs:write"];

/** The model that is paid for today: the line to beat. */
export interface Frontier {
  name: string;
  /** Points, 0 to 100. */
  score?: number | null;
  /** USD per 1,000 tasks. */
  costPer1k?: number | null;
  /** Median seconds of a reply. */
  p50s?: number | null;
}

export const frontierSchema: z.ZodType<Frontier> = z
  .object({
    name: text(NAME_MAX, 1),
    score: opt(z.number()),
    costPer1k: opt(atLeast(0)),
    p50s: opt(atLeast(0)),
  })
  .meta({ id: "Frontier" });

/** The program around the model as it is posted: its version, and the hash of what it is made of. */
export interface HarnessRecord {
  label: string;
  hash: string;
  /** Of what the model is told of its tools beside their names, which `hash` does not see. */
  toolsHash?: string | null;
  instructions?: string | null;
  /** Names. */
  tools?: string[] | null;
  model?: string | null;
}

const harnessSchema: z.ZodType<HarnessRecord> = z
  .object({
    label: text(NAME_MAX, 1),
    hash: text(64),
    toolsHash: opt(text(64)),
    instructions: opt(text(AGENT_TEXT_MAX_BYTES)),
    tools: opt(z.array(text(NAME_MAX)).max(1000)),
    model: opt(text(MODEL_MAX)),
  })
  .meta({ id: "Harness" });

/** The verdict of an agent in a word, on the behavior that its page begins with. */
export interface AgentVerdict {
  kind: VerdictKind;
  behavior: string;
  candidate: string | null;
  /** A claim that lacks something: the line begins with `unproven`. */
  unproven: boolean;
  /** The line itself. */
  text: string;
}

/** An agent as the platform knows it. */
export interface TrackedInfo {
  id: string;
  name: string;
  model?: string | null;
  harness?: HarnessRecord | null;
  /** Version that answers people now, as promoted. */
  serving?: string | null;
  /** Version of the newest run, when that is not the served one. */
  candidate?: string | null;
  frontier?: Frontier | null;
  description?: string | null;
  tools?: unknown[] | null;
  system_prompt?: string | null;
  /** How much there is of it. */
  traces: number;
  datasets: number;
  runs: number;
  createdAt: string;
  lastActivityAt: string;
  /** In the list of agents alone; null where no behavior is declared. */
  verdict?: AgentVerdict | null;
}

export const trackedInfoSchema: z.ZodType<TrackedInfo> = z
  .object({
    id: z.string(),
    name: z.string(),
    model: opt(z.string()),
    harness: opt(harnessSchema),
    serving: opt(z.string()),
    candidate: opt(z.string()),
    frontier: opt(frontierSchema),
    description: opt(z.string()),
    tools: opt(z.array(z.unknown())),
    system_prompt: opt(z.string()),
    traces: z.int(),
    datasets: z.int(),
    runs: z.int(),
    createdAt: instant,
    lastActivityAt: instant,
    verdict: opt(
      z
        .object({
          kind: z.enum(VERDICT_KINDS),
          behavior: z.string(),
          candidate: z.string().nullable(),
          unproven: z.boolean(),
          text: z.string(),
        })
        .meta({ id: "AgentVerdict" }),
    ),
  })
  .meta({ id: "Agent" });

/** What an agent may be called in a path: `slug(name)`. */
export const AGENT_ID: RegExp = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/** The form of `track`: a handle to one agent. */
export interface TrackAgent {
  id: string;
  name: string;
  model?: string | null;
  harness?: HarnessRecord | null;
  frontier?: Frontier | null;
}

/** The form of `registerAgent`: its id is the slug of the name. */
export interface RegisterAgent {
  name: string;
  description?: string | null;
  tools?: unknown[] | null;
  system_prompt?: string | null;
}

const trackSchema: z.ZodType<TrackAgent> = z
  .object({
    id: named(AGENT_ID, `1 to ${AGENT_ID_MAX} letters, digits, ".", "_" and "-"`),
    name: text(NAME_MAX, 1),
    model: opt(text(MODEL_MAX)),
    harness: opt(harnessSchema),
    frontier: opt(frontierSchema),
  })
  .meta({ id: "TrackAgent" });

const registerSchema: z.ZodType<RegisterAgent> = z
  .object({
    name: text(NAME_MAX, 1),
    description: opt(text(LONG_DESCRIPTION_MAX)),
    tools: opt(z.array(z.unknown()).max(1000)),
    system_prompt: opt(text(AGENT_TEXT_MAX_BYTES)),
  })
  .meta({ id: "RegisterAgent" });

export function isTrackAgent(body: TrackAgent | RegisterAgent): body is TrackAgent {
  return "id" in body && body.id !== undefined && body.id !== null;
}

export const upsertAgent: Route<TrackAgent | RegisterAgent, TrackedInfo> = route({
  id: "upsertAgent",
  call: "POST /agents",
  summary: "Creates an agent or changes what is given of it; with `id` the form of track, else the registry's.",
  tag: "agents",
  scopes: ["runs:write", "data:write"],
  body: z.union([trackSchema, registerSchema]),
  shapeOf: (body) => (isTrackAgent(body as TrackAgent) ? trackSchema : registerSchema),
  maxBytes: 2 * AGENT_TEXT_MAX_BYTES,
  answer: trackedInfoSchema,
});

export const listAgents: Route<null, { agents: TrackedInfo[] }> = route({
  id: "listAgents",
  call: "GET /agents",
  summary: "Agents of the account, with how much there is of each and what its verdict is; the last active first.",
  tag: "agents",
  scopes: READ_RUNS,
  answer: z.object({ agents: z.array(trackedInfoSchema) }),
});

/** Both words, as one client of old reads the first and another the second. */
export interface Deleted {
  ok: true;
  deleted: true;
}

export const deletedSchema: z.ZodType<Deleted> = z.object({ ok: z.literal(true), deleted: z.literal(true) });

export const deleteAgent: Route<null, Deleted> = route({
  id: "deleteAgent",
  call: "DELETE /agents/{id}",
  summary: "Deletes an agent with its behaviors, runs, scores, rows, figures and days, for good.",
  tag: "agents",
  scopes: ["runs:write", "data:write"],
  answer: deletedSchema,
  errors: ["not_found"],
});

export interface Purged {
  agent: string;
  traces: number;
  datasets: number;
  deleted: boolean;
}

export const purgeAgent: Route<{ confirm: string; dryRun?: boolean | null }, Purged> = route({
  id: "purgeAgent",
  call: "POST /agents/{id}/purge",
  summary: "Deletes an agent with its traces and datasets in one step, for good; `confirm` repeats the id.",
  tag: "agents",
  scopes: ["data:write"],
  body: z.object({ confirm: text(AGENT_ID_MAX, 1), dryRun: opt(z.boolean()) }).meta({ id: "Purge" }),
  answer: z.object({ agent: z.string(), traces: z.int(), datasets: z.int(), deleted: z.boolean() }),
  errors: ["not_found", "invalid_field"],
});

export interface Promotion {
  version: string;
  /** Why, where the verdict alone does not say it. A person on the pages must say it then. */
  reason?: string | null;
  /** Whose verdict is written down with the decision; by default the one that the page begins with. */
  behavior?: string | null;
}

export interface Promoted {
  ok: true;
  serving: string;
  previous?: string | null;
  at: string;
}

const promotedSchema: z.ZodType<Promoted> = z.object({
  ok: z.literal(true),
  serving: z.string(),
  previous: opt(z.string()),
  at: instant,
});

export const promote: Route<Promotion, Promoted> = route({
  id: "promote",
  call: "POST /agents/{id}/promote",
  summary: "A person's decision: this version serves from now on.",
  tag: "agents",
  scopes: WRITE_RUNS,
  body: z
    .object({ version: text(NAME_MAX, 1), reason: opt(text(DESCRIPTION_MAX)), behavior: opt(text(NAME_MAX)) })
    .meta({ id: "Promotion" }),
  answer: promotedSchema,
  errors: ["not_found", "invalid_field"],
});

export const rollback: Route<{ reason?: string | null } | undefined, Promoted> = route({
  id: "rollback",
  call: "POST /agents/{id}/rollback",
  summary: "What served before the last promotion serves again.",
  tag: "agents",
  scopes: WRITE_RUNS,
  body: z
    .object({ reason: opt(text(DESCRIPTION_MAX)) })
    .optional()
    .meta({ id: "Rollback" }),
  answer: promotedSchema,
  errors: ["not_found", "invalid_field"],
});

export interface PromotionEntry {
  version: string;
  previous: string | null;
  reason: string | null;
  /** What the verdict said then; null where no score said anything. */
  verdict?: string | null;
  by: string | null;
  at: string;
}

export const listPromotions: Route<null, { promotions: PromotionEntry[] }> = route({
  id: "listPromotions",
  call: "GET /agents/{id}/promotions",
  summary: "Who promoted what and when, newest first.",
  tag: "agents",
  scopes: READ_RUNS,
  answer: z.object({
    promotions: z.array(
      z.object({
        version: z.string(),
        previous: z.string().nullable(),
        reason: z.string().nullable(),
        verdict: opt(z.string()),
        by: z.string().nullable(),
        at: instant,
      }),
    ),
  }),
  errors: ["not_found"],
});
