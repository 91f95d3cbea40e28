import { createHash } from "node:crypto";
import type { Profile } from "@while/platform-client/contract";
import { canonicalJson, isObject, type Json, parseJsonText, type Row } from "@while/schema";
import { ProfileBuilder } from "./profile-builder.ts";

/** Sample rows that a preview shows. */
const SAMPLE_ROWS = 3;
/** A row longer than this is not a row but a file that lost its line ends. */
const LINE_MAX_BYTES = 64_000_000;

export interface ReadUpload {
  rows: number;
  tasks: number;
  /** SHA-256 over the digests of the rows in canonical form: the same for another spelling of the same rows. */
  rowsDigest: string;
  profile: Profile;
  sample: Record<string, unknown>[];
  badLines: number;
  /** 1-based line of the first bad one, and what is wrong with it. */
  firstBad: { line: number; why: string } | null;
}

/** The lines of a stream of UTF-8 bytes; what follows the last line end is a line too. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", from)) {
      yield rest.slice(from, end);
      from = end + 1;
    }
    rest = rest.slice(from);
    if (rest.length > LINE_MAX_BYTES) throw new RangeError(`a line has more than ${LINE_MAX_BYTES} bytes`);
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

/** Reads an upload once, row by row: counts, digests, profile and the lines that are no rows. */
export async function readUpload(parts: readonly AsyncIterable<Uint8Array>[]): Promise<ReadUpload> {
  const builder = new ProfileBuilder();
  const digest = createHash("sha256");
  const sample: Record<string, unknown>[] = [];
  let rows = 0;
  let line = 0;
  let badLines = 0;
  let firstBad: ReadUpload["firstBad"] = null;
  const refuse = (why: string) => {
    badLines += 1;
    firstBad ??= { line, why };
  };
  for (const part of parts) {
    try {
      for await (const text of linesOf(part)) {
        line += 1;
        if (text.trim() === "") continue;
        let value: Json;
        try {
          value = parseJsonText(text);
        } catch (error) {
          refuse(error instanceof Error ? error.message : String(error));
          continue;
        }
        if (!isObject(value)) {
          refuse("is not a JSON object");
          continue;
        }
        const own = createHash("sha256")
          .update(canonicalJson(value as Json))
          .digest("hex");
        digest.update(rows === 0 ? own : `\n${own}`);
        rows += 1;
        builder.add(value as Row);
        if (sample.length < SAMPLE_ROWS) sample.push(value);
      }
    } catch (error) {
      // Bytes that are no text, or no line ends: from here on nothing can be told apart.
      line += 1;
      refuse(error instanceof TypeError ? "is not UTF-8" : error instanceof Error ? error.message : String(error));
    }
  }
  return {
    rows,
    tasks: builder.tasks,
    rowsDigest: digest.digest("hex"),
    profile: builder.finish(),
    sample,
    badLines,
    firstBad,
  };
}
