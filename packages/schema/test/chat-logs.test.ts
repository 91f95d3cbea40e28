import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { detectFormat, isObject, readRows } from "../src/index.ts";
import { leavesOf } from "./leaves.ts";

/** Words of a format that are said by where their value stands on the row. */
const SAID_BY_PLACE: ReadonlyMap<string, readonly unknown[]> = new Map([
  ["ai-sdk", ["system", "step-start", "tool-result", false]],
  ["sharegpt", ["human", "gpt", "system", "function_call", "observation", false, ""]],
]);

/** Conversations and traces in the documented layout of the API or tool that logs them. The name of each file is its format. */
const FILES: readonly (readonly [file: string, asksAndAnswers: readonly (readonly [string, string])[]])[] = [
  [
    "anthropic.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["What is broken here?", "The lid is cracked, and the"],
      ["Will it rain on delivery day?", "No rain tomorrow."],
      ["Cancel order 9911.", ""],
    ],
  ],
  [
    "openai-completions.jsonl",
    [
      ["Refund order 42.", "Done: 42, née “Été”."],
      ["Refund order 7.", "Done: 7, née “Été”."],
      ["Refund order 13.", ""],
    ],
  ],
  [
    "openai-responses.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["Will it rain on delivery day?", "No rain tomorrow."],
      ["What is broken here?", "The lid is cracked, and the"],
      ["Cancel order 9911.", ""],
    ],
  ],
  [
    "sharegpt.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["What is broken here? <image>", "Only the lid."],
      ["Cancel order 9911.", "Order 9911 is cancelled."],
      ["Cancel order 9911.", "No."],
      ["Will it rain?", "I cannot know."],
    ],
  ],
  [
    "ai-sdk.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["Will it rain on delivery day?", "No rain tomorrow."],
      ["Cancel order 9911.", "I could not cancel it."],
      ["Refund order 12.", "Refunded."],
    ],
  ],
  [
    "braintrust.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["Will it rain on delivery day?", "No rain tomorrow."],
      ["Cancel order 9911.", ""],
    ],
  ],
  [
    "langfuse.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["Will it rain on delivery day?", "No rain tomorrow."],
      ["Cancel order 9911.", ""],
    ],
  ],
  [
    "deepeval.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["Will it rain on delivery day?", "No rain tomorrow."],
      ["Cancel order 9911.", "I cannot."],
    ],
  ],
  [
    "mlflow.jsonl",
    [
      ["Where is order 4473?", "It shipped with UPS."],
      ["Will it rain on delivery day?", "No rain tomorrow."],
      ["Cancel order 9911.", ""],
    ],
  ],
];

describe.each(FILES)("%s", (name, asksAndAnswers) => {
  const text = readFileSync(fileURLToPath(new URL(`./fixtures/chat-logs/${name}`, import.meta.url)), "utf8");
  const format = name.replace(/\..*/, "");

  test("is known without its name, and its rows have their ask and their answer", () => {
    expect(detectFormat(text)).toBe(format);
    const { rows, report } = readRows(text);
    expect(report).toMatchObject({ format, nBadLines: 0 });
    expect(rows.map(({ prompt, final_text }) => [prompt, final_text])).toEqual(asksAndAnswers);
    expect(new Set(rows.map(({ rollout_id: id }) => id)).size).toBe(rows.length);
    for (const { lineage } of rows) expect(lineage?.importer).toBe(format);
  });

  test("loses no value: each is on a row or in the report", () => {
    const { rows, report } = readRows(text);
    const found = leavesOf([rows, report.meta, [...report.systemPrompts.values()], SAID_BY_PLACE.get(format)]);
    // JSON in a text may have become what it says.
    const isKept = (leaf: string) => found.has(leaf) || leavesOf(JSON.parse(leaf)).size > 1;
    const lines = text.trimEnd().split("\n");
    const missing = lines.flatMap((line) => [...leavesOf(JSON.parse(line)).keys()].filter((leaf) => !isKept(leaf)));
    expect(missing).toEqual([]);
  });

  test("may have __proto__ as a key anywhere", () => {
    const line = withProto(JSON.parse(text.slice(0, text.indexOf("\n"))));
    const [row] = readRows(line).rows;
    expect(JSON.stringify(row)).toContain('"polluted":1');
    expect(row).not.toHaveProperty("polluted");
    expect({}).not.toHaveProperty("polluted");
  });
});

/** JSON text in which every object has one key more. */
function withProto(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(withProto).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${withProto(item)}`);
  return `{${['"__proto__":{"polluted":1}', ...entries].join(",")}}`;
}
