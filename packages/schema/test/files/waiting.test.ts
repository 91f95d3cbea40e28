import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SpilledBytes } from "../../src/files/spilled-bytes.ts";
import { FileRows } from "../../src/readers/file-rows.ts";
import { ReadCollector } from "../../src/readers/read-collector.ts";
import { readRows } from "../../src/readers/read-rows.ts";
import type { Row } from "../../src/row.ts";
import { FIXTURES } from "../reader-fixtures.ts";

test.each([
  "otlp/traces.jsonl",
  "batches/openai-batch.jsonl",
  "batches/anthropic-batch.jsonl",
  "chat-logs/braintrust.jsonl",
  "langfuse-tables/export.jsonl",
  "typed/objects.jsonl",
])("records of %s that wait on the disk give the rows that they give in memory", (name) => {
  const text = readFileSync(join(FIXTURES, name));
  const file = name.replace(/^.*\//, "");
  const waitingBytes = new SpilledBytes(0);
  const collector = new ReadCollector({});
  const reader = new FileRows(file, collector, { waitingBytes });
  const rows: Row[] = reader.push(text);
  for (const piece of reader.end()) rows.push(...piece);
  waitingBytes.close();
  const inMemory = readRows(text, { file });
  expect(rows).toEqual(inMemory.rows);
  expect(collector.finish()).toEqual(inMemory.report);
});
