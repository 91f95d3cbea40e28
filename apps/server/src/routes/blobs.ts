import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { downloadBlob, UPLOAD_MAX_BYTES, uploadDataset } from "@while/platform-client/contract";
import { readLink } from "../blobs/blob-link.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mountOpen } from "../http/mount.ts";
import { partsOf } from "../queries/datasets.ts";
import { storageOf } from "../queries/storage.ts";
import { newId } from "../secrets/new-secret.ts";
import { isoTime } from "../services.ts";
import { limitsOf } from "./account.ts";

export function blobRoutes(mounting: Mounting): void {
  mountOpen(mounting, uploadDataset, async ({ services, params, request }) => {
    const { db, blobs, now } = services;
    const { datasetId, part } = readLink(services, params.token as string, "put");
    const dataset = await db.selectFrom("datasets").selectAll().where("id", "=", datasetId).executeTakeFirst();
    if (dataset === undefined || dataset.status !== "uploading") {
      throw new HttpError("upload_expired", "This set is finalized or was deleted. Push a new one.");
    }
    if (request.body === null)
      throw new HttpError("invalid_request", "The body is missing. PUT the rows, one JSON object a line.");
    if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
      throw new HttpError("unsupported_media", "Rows are PUT as they are. Send them without Content-Encoding.");
    }
    const account = await db
      .selectFrom("accounts")
      .select("tier")
      .where("id", "=", dataset.account_id)
      .executeTakeFirstOrThrow();
    const limit = limitsOf(account.tier).storageBytes;
    const others = (await partsOf(db, datasetId)).filter((other) => other.part !== part);
    const replaced = dataset.bytes - bytesIn(others);
    const left =
      limit === null
        ? UPLOAD_MAX_BYTES - bytesIn(others)
        : Math.max(0, limit - (await storageOf(db, dataset.account_id)).bytes + replaced);
    const announced = Number(request.headers.get("content-length") ?? 0);
    if (announced > Math.min(left, UPLOAD_MAX_BYTES)) {
      throw new HttpError(
        left < UPLOAD_MAX_BYTES ? "storage_limit" : "too_large",
        `${announced} bytes are more than the ${Math.min(left, UPLOAD_MAX_BYTES)} that may come. Push less, or delete a set.`,
      );
    }
    const blob = `datasets/${datasetId}/${newId("part")}`;
    const body = Readable.fromWeb(request.body as ReadableStream);
    const stored = await blobs.put(blob, body, { maxBytes: Math.min(left, UPLOAD_MAX_BYTES) });
    // The bytes are safe before their entry is: a crash between the two leaves bytes nobody names, never a name without bytes.
    const before = await db.transaction().execute(async (transaction) => {
      const old = await transaction
        .selectFrom("dataset_parts")
        .select("blob")
        .where("dataset_id", "=", datasetId)
        .where("part", "=", part)
        .executeTakeFirst();
      const entry = { blob, ...stored, trace_id: null, created_at: isoTime(now()) };
      await transaction
        .insertInto("dataset_parts")
        .values({ dataset_id: datasetId, part, ...entry })
        .onConflict((conflict) => conflict.columns(["dataset_id", "part"]).doUpdateSet(entry))
        .execute();
      const all = await partsOf(transaction, datasetId);
      await transaction
        .updateTable("datasets")
        // The digest of several parts is known when they are read as one.
        .set({ bytes: bytesIn(all), sha256: all.length === 1 ? stored.sha256 : null })
        .where("id", "=", datasetId)
        .execute();
      return old?.blob;
    });
    if (before !== undefined) await blobs.delete(before);
    return { ok: true, sizeBytes: stored.bytes };
  });

  mountOpen(mounting, downloadBlob, async ({ services, params }) => {
    const { datasetId, part } = readLink(services, params.token as string, "get");
    const entry = await services.db
      .selectFrom("dataset_parts")
      .selectAll()
      .where("dataset_id", "=", datasetId)
      .where("part", "=", part)
      .executeTakeFirst();
    const bytes = entry === undefined ? null : await services.blobs.get(entry.blob);
    if (entry === undefined || bytes === null) throw new HttpError("gone", "This part was deleted.");
    return new Response(ReadableStream.from(bytes) as unknown as globalThis.ReadableStream<Uint8Array>, {
      headers: {
        "content-type": "application/jsonl",
        "content-length": String(entry.bytes),
        "cache-control": "private, no-store",
      },
    });
  });
}

function bytesIn(parts: readonly { bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}
