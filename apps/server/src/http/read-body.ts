import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { JSON_DEPTH_MAX } from "@while/platform-client/contract";
import { parseJsonText } from "@while/schema";
import { HttpError } from "./http-error.ts";

/**
 * The body as text, unpacked where it came as gzip. The cap holds for both forms, so that a small body cannot unpack
 * into a large one.
 *
 * @throws HttpError `too_large`, `unsupported_media`, `invalid_request`
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () =>
    new HttpError(
      "too_large",
      `The body has more than the ${maxBytes} bytes this call takes. Send it in several calls.`,
    );
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  if (request.body === null) return "";
  const encoding = (request.headers.get("content-encoding") ?? "identity").toLowerCase();
  if (encoding !== "identity" && encoding !== "gzip") {
    throw new HttpError(
      "unsupported_media",
      `Content-Encoding is ${encoding.slice(0, 40)}. Send the body plain or as gzip.`,
    );
  }
  const raw = Readable.fromWeb(request.body as import("node:stream/web").ReadableStream);
  const unpacked = encoding === "gzip" ? raw.pipe(createGunzip()) : raw;
  // The error of a source does not travel through a pipe by itself.
  if (encoding === "gzip") raw.once("error", (error) => unpacked.destroy(error));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    raw.destroy();
    if (error instanceof HttpError) throw error;
    throw new HttpError("invalid_request", "The body broke off or is not what its headers say. Send it again.", {
      cause: error,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks, bytes));
  } catch (cause) {
    throw new HttpError("invalid_request", "The body is not UTF-8. Send JSON in UTF-8.", { cause });
  }
}

/** Levels of brackets outside of strings, found without building anything. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i += 1) {
    const code = json.charCodeAt(i);
    if (quoted) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}

/** The character U+0000, escaped as JSON must; `\\u0000` is a backslash and five letters. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

export interface ParseJsonOptions {
  /** Lets U+0000 through, for what is stored as JSON: PostgreSQL keeps no plain text that has it. */
  nul?: boolean;
}

/**
 * A JSON body, as Python and JavaScript write it: bare NaN is null. An empty body is undefined.
 *
 * @throws HttpError `invalid_request`
 */
export function parseJson(text: string, { nul = false }: ParseJsonOptions = {}): unknown {
  if (text.trim() === "") return undefined;
  if (!nul && NUL.test(text)) {
    throw new HttpError("invalid_request", "The body holds the character U+0000. Take it out and send it again.");
  }
  if (depthOf(text) > JSON_DEPTH_MAX) {
    throw new HttpError("invalid_request", `The body is nested deeper than ${JSON_DEPTH_MAX} levels. Send it flatter.`);
  }
  try {
    return parseJsonText(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HttpError("invalid_request", `The body is not JSON: ${why.slice(0, 160)}`, { cause });
  }
}
