import { readdirSync, readFileSync } from "node:fs";
import { type Row, toWire } from "@while/schema";
import { deltaHtml, deltaReport } from "@while/stats";
import { expect, test } from "vitest";
import { rollouts, written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const tasks = (n: number, rewards: readonly number[], name = "t"): Row[] =>
  rollouts(Object.fromEntries(Array.from({ length: n }, (_, i) => [`${name}${i}`, rewards])));

const WORSE = tasks(8, [0, 0, 1, 0]);
const BETTER = tasks(8, [1, 0, 1, 1]);
/** The replies stay, none of them polite. */
const RUDE = BETTER.map((row) => ({ ...row, markers: { polite: 0 } }));

/** Polite on most rows, other ones on each side: no drop, and none ruled out. */
const POLITE = WORSE.map((row, i) => ({ ...row, markers: { polite: i % 4 === 0 ? 0 : 1 } }));
const MIXED = BETTER.map((row, i) => ({ ...row, markers: { polite: i % 3 === 0 ? 0 : 1 } }));
/** Eight tasks that two people made. */
const BY_TWO = [WORSE, BETTER].map((rows) => rows.map((row, i) => ({ ...row, maker: i < 16 ? "ana" : "bo" })));

test.each([
  // before, after, flags, exit code, first line
  [WORSE, BETTER, ["--target", "pass_at_1"], 0, "PASS"],
  [BETTER, WORSE, ["--target", "pass_at_1"], 1, "FAIL"],
  [WORSE, RUDE, ["--target", "pass_at_1", "--guard", "polite"], 1, "FAIL"],
  [WORSE, RUDE, ["--target", "pass_at_1"], 0, "PASS"],
  [WORSE, RUDE, ["--target", "pass_at_1", "--guard", "polite", "--lower-is-better", "polite"], 0, "PASS"],
  [BETTER, BETTER, ["--target", "pass_at_1"], 0, "NO DIFFERENCE"],
  [BETTER, BETTER, ["--target", "pass_at_1", "--require", "moved"], 1, "NO DIFFERENCE"],
  [WORSE, BETTER, ["--run-std", "0.4", "--run-std-runs", "3"], 0, "NO DIFFERENCE"],
  [WORSE, BETTER, ["--target", "kindness"], 2, "TARGET NOT MEASURED"],
  [WORSE, BETTER, ["--guard", "kindness"], 2, "GUARDS NOT MEASURED"],
  [POLITE, MIXED, ["--guard", "polite", "--guard-mode", "prove"], 1, "FAIL"],
  [POLITE, MIXED, ["--guard", "polite", "--guard-mode", "prove", "--guard-margin", "0.9"], 0, "PASS"],
  [POLITE, MIXED, ["--guard", "polite", "--guard-mode", "prove", "--guard-margin", "polite=0.9"], 0, "PASS"],
  [WORSE, BETTER, ["--unreplicated-as", "inconclusive"], 2, "INCONCLUSIVE"],
  [WORSE, BETTER, ["--cluster", "task_id"], 0, "PASS"],
  [WORSE, BETTER.map((row) => ({ ...row, seed: "s1" })), ["--train-runs", "seed"], 2, "UNRESOLVED"],
  [WORSE, BETTER, ["--cluster", "tag:maker"], 0, "PASS"],
  [BY_TWO[0]!, BY_TWO[1]!, ["--cluster", "maker"], 2, "INSUFFICIENT DATA"],
  [tasks(4, [0, 0]), tasks(4, [1, 1]), [], 2, "INSUFFICIENT DATA"],
  [WORSE, tasks(8, [1, 1], "u"), [], 2, "NOT COMPARABLE (situations)"],
] as const)("(%#) wai delta %3$j exits %4$i: %5$s", async (before, after, flags, code, line) => {
  const path = folder();
  const files = [written(path("a.jsonl"), before), written(path("b.jsonl"), after)];
  const outcome = await wai(["delta", ...files, ...flags]);
  expect({ ...outcome, stdout: outcome.stdout.split("\n")[0] }).toEqual({ code, stdout: line, stderr: "" });
});

test("--json is toWire of deltaReport, the flags its options", async () => {
  const path = folder();
  const files = [written(path("a.jsonl"), WORSE), written(path("b.jsonl"), BETTER)];
  const flags = ["--target", "pass_at_1", "--guard", "polite", "--by", "category", "--proxy", "polite", "--balance"];
  const { stdout } = await wai(["delta", ...files, ...flags, "--varied", "prompt,model", "--json"]);
  const options = { target: "pass_at_1", mustNotRegress: ["polite"], by: "category", proxy: "polite" };
  expect(JSON.parse(stdout)).toEqual(
    toWire(deltaReport(WORSE, BETTER, { ...options, balanceRollouts: true, varied: ["prompt", "model"] })),
  );
});

test.each([
  // before, after, exit code without --no-gate
  [BETTER, WORSE, 1],
  [WORSE, tasks(8, [1, 1], "u"), 2],
] as const)("(%#) --no-gate exits 0 for a report that exits %3$i, and says the same", async (before, after, code) => {
  const path = folder();
  const files = [written(path("a.jsonl"), before), written(path("b.jsonl"), after)];
  const gated = await wai(["delta", ...files]);
  expect(gated.code).toBe(code);
  expect(await wai(["delta", ...files, "--no-gate"])).toEqual({ ...gated, code: 0 });
  expect(await wai(["--no-gate", "compare", ...files])).toMatchObject({ code: 0 });
  expect(await wai(["delta", files[0]!, path("gone.jsonl"), "--no-gate"])).toMatchObject({ code: 3 });
});

test("--html writes the page of the report beside the text, whole or not at all", async () => {
  const path = folder();
  const files = [written(path("a.jsonl"), WORSE), written(path("b.jsonl"), RUDE)];
  const { stdout, code } = await wai(["delta", ...files, "--guard", "polite", "--html", path("delta.html")]);
  expect({ code, line: stdout.split("\n")[0] }).toEqual({ code: 1, line: "FAIL" });
  expect(readFileSync(path("delta.html"), "utf8")).toBe(
    deltaHtml(deltaReport(WORSE, RUDE, { mustNotRegress: ["polite"] }), { before: "a.jsonl", after: "b.jsonl" }),
  );
  const refused = await wai(["delta", ...files, "--html", files[1]!]);
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain("b.jsonl is a file that is read.");
  expect(readdirSync(path(".")).sort()).toEqual(["a.jsonl", "b.jsonl", "delta.html"]);
});

test.each([
  [["a.jsonl"], "Name two: before, and after the change."],
  [["a.jsonl", "a.jsonl", "--run-std-runs", "3"], "Pass --run-std, the spread of those runs."],
  [["a.jsonl", "a.jsonl", "--guard-margin", "polite=x"], "Give --guard-margin a number."],
  [["a.jsonl", "a.jsonl", "--guard-margin", "polite=0.1"], "Name the guards in --guard."],
  [["a.jsonl", "a.jsonl", "--varied", "prompts"], "Name some of prompt, model, user"],
  [["a.jsonl", "a.jsonl", "--train-runs", "seed"], "Pass the rows of each training run of an arm"],
  [["a.jsonl", "a.jsonl", "--html", "-"], "Give --html a file name."],
  [["a.jsonl", "a.jsonl", "--require", "better"], "Give --require one of moved."],
  [["a.jsonl", "a.jsonl", "--lower-is-better", "refusal"], "Name some of pass_at_1, marker:polite."],
])("wai delta %j is refused", async (argv, fix) => {
  const path = folder();
  written(path("a.jsonl"), WORSE);
  const { code, stderr } = await wai(["delta", ...argv.map((word) => (word === "a.jsonl" ? path(word) : word))]);
  expect(code).toBe(3);
  expect(stderr).toContain(`fix: ${fix}`);
});
