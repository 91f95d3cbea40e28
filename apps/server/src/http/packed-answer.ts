import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Below this the bytes that packing saves are not worth its milliseconds. */
const PACK_FROM_BYTES = 8192;
/** 1.2 MB of runs become 70 kB in 1.8 ms; level 4 takes twice as long for 65 kB, level 6 three times for 56. */
const LEVEL = 2;

/** An answer in JSON as gzip, where the caller takes that and it is worth it; else the same answer. */
export async function packedAnswer(response: Response, accepted: string): Promise<Response> {
  const { headers, status } = response;
  const json = /^application\/json(;|$)/.test(headers.get("content-type") ?? "");
  if (
    !json ||
    headers.has("content-encoding") ||
    response.body === null ||
    !/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)
  ) {
    return response;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const packed = bytes.byteLength < PACK_FROM_BYTES ? null : await promisify(gzip)(bytes, { level: LEVEL });
  const sent = new Headers(headers);
  sent.append("vary", "accept-encoding");
  if (packed !== null) sent.set("content-encoding", "gzip");
  return new Response(packed ?? bytes, { status, headers: sent });
}
