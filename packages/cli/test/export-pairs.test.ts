import { readFileSync, writeFileSync } from "node:fs";
import { exportPreference } from "@while/export/files";
import { toWire } from "@while/schema";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

test("wai pairs and then wai export-pairs: the file a preference trainer reads, --json is toWire of the report", async () => {
  const path = folder();
  expect(await wai(["pairs", written(path("a.jsonl")), "-o", path("pairs.jsonl")])).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await wai(["export-pairs", path("pairs.jsonl"), "--format", "trl", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const output = path("pairs.trl.jsonl");
  const rows = readFileSync(output, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect([row.chosen.length, row.rejected.length]).toEqual([1, 1]);
  const report = await exportPreference(path("pairs.jsonl"), { format: "trl", output });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
});

const LEAK = {
  messages: [
    { role: "user", content: "q" },
    { role: "assistant", content: "It is ZEBRA-PINK-9931." },
  ],
};

test.each([
  [
    "rows that are no pairs",
    '{"prompt": "q", "final_text": "a"}\n',
    [],
    3,
    /^error: Entry 0 has no chosen\/rejected rows/,
  ],
  ["an empty file", "", [], 1, /^error: The source has no pairs/],
  [
    "a chosen reply that leaks",
    JSON.stringify({ chosen: { ...LEAK, privileged: { reference: "ZEBRA-PINK-9931" } }, rejected: LEAK }),
    [],
    1,
    /pair 0 {2}reference: "zebra-pink-9931"/,
  ],
  ["a format that has no pairs", "{}", ["--format", "nothing"], 3, /^error: /],
  ["stdout", "{}", ["-o", "-"], 3, /writes a file and not stdout/],
] as const)("%s", async (_, text, flags, exit, said) => {
  const path = folder();
  writeFileSync(path("p.jsonl"), text);
  const { code, stdout, stderr } = await wai(["export-pairs", path("p.jsonl"), ...flags]);
  expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
  expect(stderr).toMatch(said);
});
