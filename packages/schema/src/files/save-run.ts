import { join } from "node:path";
import type { RowSource } from "../row-source.ts";
import { type WriteReport, writeJsonl } from "./row-writer.ts";
import { type Meta, metaOf } from "./sidecar.ts";

/**
 * Saves a run as a folder: `rows.jsonl` and, beside it, `rows.meta.json` with the rules, the tools and whatever else
 * `meta` says. `readRowFiles([folder])` reads it back.
 *
 * @throws SchemaError `bad_file`, `bad_value`
 */
export function saveRun(folder: string, source: RowSource, { meta = {} }: { meta?: Meta } = {}): Promise<WriteReport> {
  return writeJsonl(join(folder, "rows.jsonl"), source.rows, { meta: { ...metaOf(source), ...meta } });
}
