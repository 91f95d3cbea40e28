import { createDataset, type Dataset, finalizeDataset, type NewDataset } from "../contract/datasets.ts";
import { getVersion } from "../contract/service.ts";
import { PlatformError } from "../platform-error.ts";
import type { Transport } from "../transport/transport.ts";
import { upload } from "./upload.ts";
import { inParts, uploadInParts } from "./upload-parts.ts";

export interface StoreLines {
  meta: NewDataset;
  /** One JSON object a line. */
  lines: Blob;
  timeoutS?: number | undefined;
  /** Id of a set whose upload broke off: its parts stay, and the others follow. */
  resume?: string | null | undefined;
  /** Hears the id of the set before its parts go up. */
  created?: ((datasetId: string) => Promise<void>) | undefined;
}

/**
 * The three steps of a set: an entry, its bytes, and the end that opens it. A small one is a single body; a large one
 * goes up in parts.
 *
 * @throws PlatformError `upload_failed`, the platform's refusals
 */
export async function storeLines(
  transport: Transport,
  { meta, lines, timeoutS, resume = null, created }: StoreLines,
): Promise<Dataset> {
  if (!inParts(lines) || !(await takesParts(transport))) {
    const { datasetId, uploadUrl } = await transport.call(createDataset, { body: meta });
    await upload(transport, uploadUrl, lines, timeoutS);
    return transport.call(finalizeDataset, { params: { id: datasetId } });
  }
  const datasetId = resume ?? (await transport.call(createDataset, { body: meta })).datasetId;
  if (resume === null) await created?.(datasetId);
  const body = await uploadInParts(transport, { datasetId, lines, timeoutS });
  return transport.call(finalizeDataset, { params: { id: datasetId }, body });
}

/** A platform that does not know of parts, or of its own features, gets one body. */
async function takesParts(transport: Transport): Promise<boolean> {
  try {
    return (await transport.call(getVersion)).features?.includes("multipart") ?? false;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return false;
    throw error;
  }
}
