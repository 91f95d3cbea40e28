import * as z from "zod";
import { UPLOAD_PART_BYTES, UPLOAD_PARTS_MAX, UPLOAD_PARTS_PER_CALL } from "./caps.ts";
import { count, opt } from "./field.ts";
import { type Route, route } from "./route.ts";

// A set too large for one body comes in parts. Each holds whole lines, so that it is a file of rows by itself; a part
// that is sent again replaces itself, and what has arrived is never sent twice.

export interface PartUrl {
  /** From 1. */
  n: number;
  uploadUrl: string;
}

export interface PartsAsked {
  /** The first one, from 1. */
  from: number;
  count: number;
}

export const uploadParts: Route<PartsAsked, { partSize: number; parts: PartUrl[] }> = route({
  id: "uploadParts",
  call: "POST /datasets/{id}/parts",
  summary: `URLs that parts of a set are PUT to, in whole lines, each of about ${UPLOAD_PART_BYTES} bytes.`,
  tag: "datasets",
  scopes: ["data:write"],
  body: z
    .object({
      from: z.int().min(1).max(UPLOAD_PARTS_MAX),
      count: z.int().min(1).max(UPLOAD_PARTS_PER_CALL),
    })
    .meta({ id: "PartsAsked" }),
  answer: z.object({ partSize: count(), parts: z.array(z.object({ n: count(), uploadUrl: z.string() })) }),
  errors: ["not_found", "upload_expired"],
});

export interface StoredPart {
  n: number;
  sizeBytes: number;
  sha256: string;
}

export const listParts: Route<null, { parts: StoredPart[] }> = route({
  id: "listParts",
  call: "GET /datasets/{id}/parts",
  summary: "Parts that have arrived whole: an upload that broke off goes on with the others.",
  tag: "datasets",
  scopes: ["data:read", "data:write"],
  answer: z.object({ parts: z.array(z.object({ n: count(), sizeBytes: count(), sha256: z.string() })) }),
  errors: ["not_found"],
});

/** What the sender sent, so that a set with a part missing or damaged is never opened. */
export interface FinalizeBody {
  parts?: { n: number; sha256: string }[] | null;
}

export const finalizeBodySchema: z.ZodType<FinalizeBody | undefined> = z
  .object({
    parts: opt(
      z
        .array(z.object({ n: z.int().min(1).max(UPLOAD_PARTS_MAX), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
        .max(UPLOAD_PARTS_MAX),
    ),
  })
  .meta({ id: "FinalizeBody" })
  .optional();
