import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { detectFormat, readRows, rowsFromOtel } from "../src/index.ts";
import { leavesOf } from "./leaves.ts";

/** Four conversations as the collector's file exporter writes them, by four instrumentations. */
const text = readFileSync(fileURLToPath(new URL("./fixtures/otlp/traces.jsonl", import.meta.url)), "utf8");

/** Said by where their value stands, or by the envelope of an export alone. */
const SAID_BY_PLACE = [
  ...[
    "chat",
    "execute_tool",
    "invoke_agent",
    "LLM",
    "TOOL",
    "text",
    "system",
    "length",
    "tool_call",
    "tool_call_response",
    0,
    2,
  ],
  "gen_ai.evaluation.result",
  ...["https://opentelemetry.io/schemas/1.37.0", "2.1b0", "opentelemetry.instrumentation.openai"],
  ...["openinference.instrumentation.openai", "opentelemetry.instrumentation.openai_v2"],
];

test("a file of the collector is known, and each conversation has its ask and its answer", () => {
  expect(detectFormat(text)).toBe("otlp");
  const { rows, report } = readRows(text, { file: "traces.jsonl" });
  expect(rows.map(({ prompt, final_text, reward }) => [prompt, final_text, reward])).toEqual([
    ["Where is order 4473?", "It shipped with UPS.", null],
    ["Will it rain on delivery day?", "No rain tomorrow.", null],
    ["What is broken here?", "The lid is cracked, and the", null],
    ["Cancel order 9911.", "", null],
  ]);
  expect(rows[0]).toMatchObject({
    conversation_id: "conv_5j66UpCpwteGg4YSxUnt7lPY",
    steps: [
      { tool: "lookup_order", text: "Let me look.", arguments: { order_id: "4473" }, result: { status: "shipped" } },
      { text: "It shipped with UPS." },
    ],
    ...{ usage: { input_tokens: 280, output_tokens: 24 }, markers: { Relevance: 1 }, sampling: { temperature: 0.2 } },
    lineage: { importer: "otel", file: "traces.jsonl", agent: "orders" },
  });
  expect(rows[1]?.steps).toMatchObject([{ tool: "get_weather", result: "dry" }, { text: "No rain tomorrow." }]);
  expect(rows[3]).toMatchObject({ judge_status: "error", judge_meta: { error: "Rate limit reached." } });
  expect([...report.systemPrompts.values()]).toEqual(["You help with orders.", "You know the weather.", "Be brief."]);
  expect(rowsFromOtel(text).report).toMatchObject({ nSpans: 8, nGroups: 4, nWithoutContent: 0 });
});

test("the evaluation that is named is the reward", () => {
  const { rows } = readRows(text, { rewardKey: "Relevance" });
  expect(rows[0]).toMatchObject({ reward: 1, judge_name: "Relevance", reason: "It answers what was asked." });
});

test("loses no value: each is on a row or in the report", () => {
  const { rows, report } = readRows(text);
  const found = leavesOf([rows, [...report.systemPrompts.values()], SAID_BY_PLACE]);
  const isFound = (value: unknown) => found.has(JSON.stringify(value)) || found.has(String(value));
  const isKept = (value: unknown) => isFound(value) || partsOf(value).every((leaf) => found.has(leaf));
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const values = lines.flatMap((line) => valuesOf(line));
  // Tokens of two calls are added up.
  expect(values.filter((value) => !isKept(value))).toEqual(["120", "18", "160", "6"]);
});

/** Values of attributes and ids of spans; names of attributes and wrappers are none. */
function valuesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  return Object.entries(value).flatMap(([key, one]) =>
    ["key", "kind", "timeUnixNano", "code"].includes(key) ? [] : valuesOf(one),
  );
}

/** Of JSON in a text, what it says; else the text. */
function partsOf(value: unknown): string[] {
  const isJson = typeof value === "string" && /^[[{]/.test(value);
  return [...leavesOf(isJson ? JSON.parse(value) : value).keys()];
}
