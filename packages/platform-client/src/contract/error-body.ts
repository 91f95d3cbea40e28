import { codePointLength, cutCodePoints } from "@while/schema";
import * as z from "zod";
import { ERROR_BODY_MAX_BYTES } from "./caps.ts";
import { opt } from "./field.ts";

/** Body of every answer that is not 2xx. */
export interface ErrorBody {
  /** One sentence; a bare word while a device code waits. */
  error: string;
  /** A word to branch on, one of `ERROR_STATUS`. */
  code?: string | null;
  /** Field of the request that broke a rule. */
  field?: string | null;
  requestId?: string | null;
}

export const errorBodySchema: z.ZodType<ErrorBody> = z
  .object({ error: z.string(), code: opt(z.string()), field: opt(z.string()), requestId: opt(z.string()) })
  .meta({ id: "Error", description: "Every refusal: a sentence, and a word to branch on." });

/**
 * The body within its 400 bytes: the Python client keeps that many before it parses, so that a longer one reads as
 * broken JSON. The sentence is cut, the rest stands.
 */
export function errorBody(body: ErrorBody): ErrorBody {
  let cut = body;
  while (bytesOf(cut) > ERROR_BODY_MAX_BYTES && cut.error.length > 0) {
    const over = bytesOf(cut) - ERROR_BODY_MAX_BYTES;
    // An escaped or astral character takes up to 12 bytes: cutting by an estimate and looking again ends quickly.
    const keep = Math.max(0, codePointLength(cut.error) - Math.max(2, Math.ceil(over / 12)));
    cut = { ...cut, error: `${cutCodePoints(cut.error, Math.max(0, keep - 1))}…` };
    if (keep <= 1) return { ...cut, error: "" };
  }
  return cut;
}

function bytesOf(body: ErrorBody): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}
