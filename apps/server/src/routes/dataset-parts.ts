import { listParts, UPLOAD_PART_BYTES, UPLOAD_PARTS_MAX, uploadParts } from "@while/platform-client/contract";
import { linkPath } from "../blobs/blob-link.ts";
import { checkAgent } from "../http/caller.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { getDataset, partsOf } from "../queries/datasets.ts";

/** Long enough for a slow line to send a large set through, part after part. */
const PART_LINK_MS = 12 * 3600 * 1000;

/** A set that comes in parts: where each goes, and which have arrived. */
export function datasetPartRoutes(mounting: Mounting): void {
  mount(mounting, uploadParts, async ({ services, caller, params, body, origin }) => {
    const row = await getDataset(services.db, caller.accountId, params.id as string);
    if (row.agent !== null) checkAgent(caller, row.agent);
    if (row.status !== "uploading") {
      throw new HttpError("upload_expired", `Dataset ${row.id} is ${row.status}: its rows stay. Push a new one.`);
    }
    const last = Math.min(UPLOAD_PARTS_MAX, body.from + body.count - 1);
    const until = services.now() + PART_LINK_MS;
    const parts = Array.from({ length: last - body.from + 1 }, (_, index) => {
      const n = body.from + index;
      return { n, uploadUrl: origin + linkPath(services, { act: "put", datasetId: row.id, part: n, until }) };
    });
    return { partSize: UPLOAD_PART_BYTES, parts };
  });

  mount(mounting, listParts, async ({ services, caller, params }) => {
    const row = await getDataset(services.db, caller.accountId, params.id as string);
    if (row.agent !== null) checkAgent(caller, row.agent);
    const parts = await partsOf(services.db, row.id);
    return { parts: parts.map(({ part, bytes, sha256 }) => ({ n: part, sizeBytes: bytes, sha256 })) };
  });
}
