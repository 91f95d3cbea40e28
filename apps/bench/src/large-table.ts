import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Row } from "@while/schema";
import { writeParquet } from "@while/schema/files";
import { rollout } from "./make-rollouts.ts";

const COLUMNS = ["scenario_id", "rollout_id", "prompt", "final_text", "reward", "steps"];

/** Packed, rollouts of few words take about this share of their JSON. */
const PACKED_SHARE = 0.3;

/** Rollouts as CSV, of at least so many bytes. */
export async function largeCsv(path: string, minBytes: number): Promise<void> {
  const out = createWriteStream(path);
  let bytes = 0;
  out.write(`${COLUMNS.join(",")}\n`);
  for (let n = 0; bytes < minBytes; n++) {
    const row = rollout(n) as Row;
    const line = `${COLUMNS.map((column) => cellOf(row[column])).join(",")}\n`;
    bytes += line.length;
    if (!out.write(line)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

/** Rollouts as `writeParquet` writes them, of about so many bytes. */
export async function largeParquet(path: string, bytes: number): Promise<void> {
  function* rollouts(): Generator<Row> {
    let made = 0;
    for (let n = 0; made < bytes / PACKED_SHARE; n++) {
      const row = rollout(n) as Row;
      made += JSON.stringify(row).length;
      yield row;
    }
  }
  await writeParquet(path, rollouts());
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
}
