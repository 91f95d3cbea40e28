import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { readRowFiles } from "@while/schema/files";
import type { PlatformClient } from "../client.ts";
import { checkGateGiven, type Pushed, type PushOptions } from "../datasets/push.ts";
import { storeLines } from "../datasets/store-lines.ts";
import { inParts } from "../datasets/upload-parts.ts";
import { PlatformError } from "../platform-error.ts";
import { readSettings } from "../settings.ts";
import { given } from "../transport/given.ts";
import { brokenUploads } from "./broken-uploads.ts";
import { configDir } from "./config-dir.ts";

export interface PushFileOptions extends PushOptions {
  /** Name of the set; that of the file without `.jsonl` by default. */
  name?: string | undefined;
  /** Folder where an upload that breaks off is remembered; `WHILEAI_HOME`, else `~/.whileai`. */
  home?: string | undefined;
}

/**
 * Uploads a file of rows. With a gate or a holdout its rows are read; with `gate: false` alone the bytes go from the
 * disk as they are, a large file in parts: pushed again after it broke off, it goes on where it was.
 *
 * @throws PlatformError as `push`; SchemaError for a file that cannot be read
 */
export async function pushFile(client: PlatformClient, path: string, options: PushFileOptions): Promise<Pushed> {
  checkGateGiven(options);
  const { name = basename(path).replace(/\.jsonl$/, ""), home, ...rest } = options;
  const asItIs = rest.gate === false && rest.holdout === undefined && rest.publish !== true && path.endsWith(".jsonl");
  if (!asItIs) {
    const { rows } = await readRowFiles([path]);
    return client.pushRows(rows, name, rest);
  }
  const { mode, purpose, agent, description, parent, timeoutS } = rest;
  const transport = await client.transport();
  const meta = given({ name, mode, purpose, agent, description, parentDatasetId: parent });
  const uploads = await brokenUploads(configDir(home ?? readSettings().home), transport.baseUrl, path, meta);
  const resume = await resumable(client, await uploads.find());
  const lines = await openAsBlob(path);
  const dataset = await storeLines(transport, { meta, lines, timeoutS, resume, created: uploads.begun });
  if (inParts(lines)) await uploads.ended();
  return { ...dataset, gate: null, holdout: null, holdoutTasks: 0, card: null };
}

/** A set that still waits for its parts; one that was finalized or deleted meanwhile is begun anew. */
async function resumable(client: PlatformClient, id: string | null): Promise<string | null> {
  if (id === null) return null;
  try {
    return (await client.dataset(id)).status === "uploading" ? id : null;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return null;
    throw error;
  }
}
