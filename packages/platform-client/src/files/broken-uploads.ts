import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isObject } from "@while/schema";
import type { NewDataset } from "../contract/datasets.ts";
import { readPrivateJson, writePrivateJson } from "./private-json.ts";

/** How long the parts of an upload that broke off may wait for the others, in milliseconds. */
const KEPT_MS = 24 * 3600 * 1000;

/** Uploads of files that have not come to their end: the next push of the same file goes on with them. */
export interface BrokenUploads {
  /** Id of the set that holds the first parts of this upload; null when none does. */
  find(): Promise<string | null>;
  begun(datasetId: string): Promise<void>;
  ended(): Promise<void>;
}

/**
 * What is known of the upload of one file to one platform. A file that changed since, by size or time, or that is
 * pushed under other words, is another upload.
 */
export async function brokenUploads(
  dir: string,
  origin: string,
  path: string,
  meta: NewDataset,
): Promise<BrokenUploads> {
  const file = join(dir, "uploads.json");
  const { size, mtimeMs } = await stat(path);
  const key = JSON.stringify([origin, resolve(path), size, mtimeMs, meta]);
  const change = async (edit: (kept: Map<string, unknown>) => void): Promise<void> => {
    const kept = new Map(Object.entries((await readPrivateJson(file)) ?? {}));
    for (const [name, one] of kept) if (!isFresh(one)) kept.delete(name);
    edit(kept);
    await writePrivateJson(file, Object.fromEntries(kept));
  };
  return {
    async find() {
      const one = (await readPrivateJson(file))?.[key];
      return isFresh(one) ? one.datasetId : null;
    },
    begun: (datasetId) => change((kept) => kept.set(key, { datasetId, at: Date.now() })),
    ended: () => change((kept) => kept.delete(key)),
  };
}

function isFresh(one: unknown): one is { datasetId: string; at: number } {
  return (
    isObject(one) && typeof one.datasetId === "string" && typeof one.at === "number" && Date.now() - one.at < KEPT_MS
  );
}
