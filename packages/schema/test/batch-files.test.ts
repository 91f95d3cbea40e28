import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readRows } from "../src/index.ts";

/** Files whose parts have to find each other: results their requests, observations and scores their traces. */
test.each([
  [
    "batches/openai-batch.jsonl",
    [
      ["What is broken here?", "The lid is cracked, and the", undefined],
      ["Where is order 4473?", "It shipped with UPS.", undefined],
      ["Cancel order 9911.", "", "error"],
    ],
  ],
  [
    "batches/anthropic-batch.jsonl",
    [
      ["Cancel order 9911.", "", "error"],
      ["Where is order 4473?", "It shipped with UPS.", undefined],
    ],
  ],
  [
    "langfuse-tables/export.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS.", undefined],
      ["Cancel order 9911.", "", "error"],
    ],
  ],
])("%s: each row has its ask, its answer and its verdict", (file, expected) => {
  const { rows, report } = readRows(readFileSync(fileURLToPath(new URL(`./fixtures/${file}`, import.meta.url))));
  expect(rows.map(({ prompt, final_text, judge_status }) => [prompt, final_text, judge_status])).toEqual(expected);
  expect(report.warnings.map(({ code }) => code)).toEqual(["infrastructure_errors"]);
});
