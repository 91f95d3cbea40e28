import { sha256Hex } from "@while/schema";
import { UPLOAD_PART_BYTES, UPLOAD_PARTS_PER_CALL } from "../contract/caps.ts";
import { type FinalizeBody, listParts, type PartUrl, uploadParts } from "../contract/dataset-parts.ts";
import { PlatformError } from "../platform-error.ts";
import type { Transport } from "../transport/transport.ts";
import { cutParts, type Part } from "./cut-parts.ts";
import { putTimeoutS, upload } from "./upload.ts";

/** Times that one part is sent before the upload gives up. */
const TRIES = 5;
const FIRST_WAIT_MS = 500;
/** Parts under way at once: the next one is cut and hashed while the last travels. */
const AT_ONCE = 3;

/** Whether lines go up in parts: a set larger than one part. */
export function inParts(lines: Blob): boolean {
  return lines.size > UPLOAD_PART_BYTES;
}

export interface PartedUpload {
  datasetId: string;
  lines: Blob;
  /** Seconds for one part. */
  timeoutS?: number | undefined;
  /** Bytes of a part; the platform's own by default. */
  partSize?: number | undefined;
}

/**
 * Sends a set in parts of whole lines, several at once, each again where it broke off. What the platform has already
 * is not sent: an upload that ended in the middle goes on where it was.
 *
 * @returns What `finalize` is told, so that a set with a part missing or damaged is never opened
 * @throws PlatformError `upload_failed` naming the part; the platform's refusals
 */
export async function uploadInParts(
  transport: Transport,
  { datasetId, lines, timeoutS, partSize = UPLOAD_PART_BYTES }: PartedUpload,
): Promise<FinalizeBody> {
  const params = { id: datasetId };
  const stored = new Map((await transport.call(listParts, { params })).parts.map(({ n, sha256 }) => [n, sha256]));
  const urls = partUrls(transport, datasetId);
  const sent: { n: number; sha256: string }[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: unknown = null;
  for await (const part of cutParts(lines, partSize)) {
    const sha256 = await sha256Of(part.bytes);
    sent.push({ n: part.n, sha256 });
    if (stored.get(part.n) === sha256) continue;
    const one = sendPart(transport, await urls(part.n), part, timeoutS)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => underWay.delete(one));
    underWay.add(one);
    if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    if (failure !== null) break;
  }
  await Promise.all(underWay);
  if (failure !== null) throw failure;
  return { parts: sent };
}

/** The address of each part, asked for a hundred at a time. */
function partUrls(transport: Transport, datasetId: string): (n: number) => Promise<string> {
  let known = new Map<number, string>();
  return async (n) => {
    if (!known.has(n)) {
      const body = { from: n, count: UPLOAD_PARTS_PER_CALL };
      const { parts } = await transport.call(uploadParts, { params: { id: datasetId }, body });
      known = new Map(parts.map(({ n, uploadUrl }: PartUrl) => [n, uploadUrl]));
    }
    return known.get(n)!;
  };
}

async function sendPart(transport: Transport, url: string, { n, bytes }: Part, timeoutS?: number): Promise<void> {
  const body = new Blob([bytes]);
  for (let tries = 1; ; tries += 1) {
    try {
      return await upload(transport, url, body, timeoutS ?? putTimeoutS(bytes.length));
    } catch (error) {
      if (!(error instanceof PlatformError) || !mayPass(error.status)) throw error;
      if (tries === TRIES) {
        const what = `Part ${n} did not arrive in ${TRIES} tries: ${error.what}`;
        throw new PlatformError(
          "upload_failed",
          what,
          "Push the file again: what has arrived is not sent twice.",
          error,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (tries - 1)));
    }
  }
}

/** No answer, too much at once, or a fault of the platform: another try may do it. */
function mayPass(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

/** SHA-256 in hexadecimal digits: of the platform's own hand where there is one, which a browser over plain http lacks. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (crypto.subtle === undefined) return sha256Hex(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
