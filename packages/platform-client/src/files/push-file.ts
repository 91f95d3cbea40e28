import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { readRowFiles } from "@while/schema/files";
import type { PlatformClient } from "../client.ts";
import { createDataset, finalizeDataset } from "../contract/datasets.ts";
import { checkGateGiven, type Pushed, type PushOptions } from "../datasets/push.ts";
import { upload } from "../datasets/upload.ts";
import { given } from "../transport/given.ts";

export interface PushFileOptions extends PushOptions {
  /** Name of the set; that of the file without `.jsonl` by default. */
  name?: string | undefined;
}

/**
 * Uploads a file of rows. With a gate or a holdout its rows are read; with `gate: false` alone the bytes go from the
 * disk as they are.
 *
 * @throws PlatformError as `push`; SchemaError for a file that cannot be read
 */
export async function pushFile(client: PlatformClient, path: string, options: PushFileOptions): Promise<Pushed> {
  checkGateGiven(options);
  const { name = basename(path).replace(/\.jsonl$/, ""), ...rest } = options;
  const asItIs = rest.gate === false && rest.holdout === undefined && rest.publish !== true && path.endsWith(".jsonl");
  if (!asItIs) {
    const { rows } = await readRowFiles([path]);
    return client.pushRows(rows, name, rest);
  }
  const { mode, purpose, agent, description, parent, timeoutS } = rest;
  const transport = await client.transport();
  const body = given({ name, mode, purpose, agent, description, parentDatasetId: parent });
  const created = await transport.call(createDataset, { body });
  await upload(transport, created.uploadUrl, await openAsBlob(path), timeoutS);
  const dataset = await transport.call(finalizeDataset, { params: { id: created.datasetId } });
  return { ...dataset, gate: null, holdout: null, holdoutTasks: 0, card: null };
}
