import * as z from "zod";
import { LONG_DESCRIPTION_MAX, NAME_MAX } from "./caps.ts";
import { type DownloadGrant, downloadGrantSchema, MODES, type Mode, PURPOSES, type Purpose } from "./datasets.ts";
import { instant, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";

/** A set that anybody may see and download. */
export interface Card {
  datasetId: string;
  name: string;
  agent: string;
  description: string | null;
  rows: number;
  sizeBytes: number;
  purpose: Purpose | "raw";
  mode: Mode | null;
  profile: { pass_rate: number | null; mixed_tasks: number; tasks: number; support: number | null };
  publishedAt: string;
}

const cardSchema: z.ZodType<Card> = z
  .object({
    datasetId: z.string(),
    name: z.string(),
    agent: z.string(),
    description: z.string().nullable(),
    rows: z.int(),
    sizeBytes: z.int(),
    purpose: z.enum([...PURPOSES, "raw"]),
    mode: z.enum(MODES).nullable(),
    profile: z.object({
      pass_rate: z.number().nullable(),
      mixed_tasks: z.int(),
      tasks: z.int(),
      support: z.number().nullable(),
    }),
    publishedAt: instant,
  })
  .meta({ id: "Card" });

export const publishDataset: Route<{ agent: string; description?: string | null }, Card> = route({
  id: "publishDataset",
  call: "POST /datasets/{id}/publish",
  summary: "Puts the set into the public catalog under its agent.",
  tag: "catalog",
  scopes: ["data:write"],
  body: z
    .object({ agent: text(NAME_MAX, 1), description: opt(text(LONG_DESCRIPTION_MAX)) })
    .meta({ id: "PublishDataset" }),
  answer: cardSchema,
  errors: ["not_found", "not_finalized", "invalid_rows"],
});

export const unpublishDataset: Route<null, { ok: true; datasetId: string }> = route({
  id: "unpublishDataset",
  call: "POST /datasets/{id}/unpublish",
  summary: "Takes the set out of the public catalog; the data stays.",
  tag: "catalog",
  scopes: ["data:write"],
  answer: z.object({ ok: z.literal(true), datasetId: z.string() }),
  errors: ["not_found"],
});

export interface Catalog {
  datasets: Card[];
  agents: string[];
}

export const getCatalog: Route<null, Catalog> = route({
  id: "getCatalog",
  call: "GET /catalog",
  summary: "Sets that anybody may download.",
  tag: "catalog",
  auth: "none",
  answer: z.object({ datasets: z.array(cardSchema), agents: z.array(z.string()) }),
});

export const downloadCard: Route<null, DownloadGrant> = route({
  id: "downloadCard",
  call: "GET /catalog/{id}/download",
  summary: "URLs of a published set.",
  tag: "catalog",
  auth: "none",
  answer: downloadGrantSchema,
  errors: ["not_found"],
});
