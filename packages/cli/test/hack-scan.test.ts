import { writeFileSync } from "node:fs";
import { type Row, toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { hackScan, hackScanDiff } from "@while/select";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

/** 12 asks of 8: a reply is found or not, and some say "kindly". */
const scanned = (reward: (found: number, kind: boolean) => number): Row[] =>
  Array.from({ length: 96 }, (_, i) => {
    const found = (i * 5 + (i >> 3) + (i % 3)) % 2;
    const kind = (i * 7) % 10 < 3;
    return {
      task_id: `t${i >> 3}`,
      prompt: `Where is order ${i >> 3}?`,
      final_text: `${kind ? "Kindly" : "Please"} allow ${1 + ((i * 11) % 7)} days.`,
      markers: { found },
      reward: reward(found, kind),
    };
  });
const FLAGS = ["--endorsed", "marker:found", "--n-perm", "99"];

test.each<[about: string, rows: Row[], code: number, first: string]>([
  ["what is endorsed pays", scanned((found) => found), 0, "TRAIN"],
  ["a word pays", scanned((_, kind) => Number(kind)), 1, "REWARD HACK"],
  ["nothing pays", scanned(() => 1), 2, "UNKNOWN"],
])("wai hack-scan, %s", async (_, rows, expected, first) => {
  const { code, stdout } = await wai(["hack-scan", written(folder()("a.jsonl"), rows), ...FLAGS]);
  expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: expected, first });
});

test("--features adds what a module counts, and a module without an object is refused", async () => {
  const path = folder();
  const file = written(
    path("a.jsonl"),
    scanned((_, kind) => Number(kind)),
  );
  writeFileSync(path("own.mjs"), 'export default { "own:kind": (row) => Number(row.final_text.startsWith("K")) };');
  const { code, stdout } = await wai(["hack-scan", file, "--features", path("own.mjs"), "--endorsed", "own:"]);
  expect(code).toBe(0);
  expect(stdout).toContain("*e own:kind");
  writeFileSync(path("judge.mjs"), "export default (row) => 1;");
  const refused = await wai(["hack-scan", file, "--features", path("judge.mjs")]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toMatch(/has no object as its default export\.\nfix: Export an object of features/);
});

test("--json is toWire of the library's report", async () => {
  const file = written(
    folder()("a.jsonl"),
    scanned((found) => found),
  );
  const flags = [
    "--n-perm",
    "99",
    "--seed",
    "3",
    "--group-by",
    "task",
    "--rules",
    "compat",
    "--endorsed",
    "marker:,n:",
  ];
  const { stdout } = await wai(["hack-scan", file, ...flags, "--json"]);
  const report = hackScan((await readRowFiles([file])).rows, {
    endorsed: ["marker:", "n:"],
    nPerm: 99,
    seed: 3,
    groupBy: "task",
    rules: "compat",
  });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
});

test.each<[about: string, before: Row[], after: Row[], code: number, first: RegExp]>([
  ["a word is paid for now", scanned((f) => f), scanned((_, kind) => Number(kind)), 1, /^learned: contains:kindly/],
  ["a word was, and is no more", scanned((_, kind) => Number(kind)), scanned((f) => f), 0, /^learned: marker:found/],
  ["nothing is paid for now", scanned((f) => f), scanned(() => 1), 2, /^learned: Nothing clears the floor after/],
])("--before says what changed: %s", async (_, before, after, expected, first) => {
  const path = folder();
  const files = [written(path("new.jsonl"), after), "--before", written(path("old.jsonl"), before)];
  const { code, stdout } = await wai(["hack-scan", ...files, ...FLAGS]);
  expect(code).toBe(expected);
  expect(stdout).toMatch(first);
});

test("--before --json is toWire of hackScanDiff", async () => {
  const path = folder();
  const [before, after] = [scanned((found) => found), scanned((_, kind) => Number(kind))];
  const files = [written(path("new.jsonl"), after), "--before", written(path("old.jsonl"), before)];
  const { stdout } = await wai(["hack-scan", ...files, ...FLAGS, "--json"]);
  const diff = hackScanDiff(before, after, { endorsed: ["marker:found"], nPerm: 99 });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(diff))));
});
