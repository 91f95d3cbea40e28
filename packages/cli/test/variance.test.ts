import { toWire } from "@while/schema";
import { evalVariance } from "@while/stats";
import { expect, test } from "vitest";
import { rollouts, written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const RUNS = [
  [1, 0, 1, 0],
  [1, 1, 1, 0],
  [0, 0, 1, 0],
].map((rewards) => rollouts({ a: rewards, b: rewards }));

test("a file is a run: the spread over three, and none over two", async () => {
  const path = folder();
  const files = RUNS.map((rows, i) => written(path(`${i}.jsonl`), rows));
  const { code, stdout, stderr } = await wai(["variance", ...files, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual(toWire(evalVariance(RUNS)));
  expect(await wai(["variance", ...files.slice(1)])).toMatchObject({ code: 2 });
});

test("runs in one file are told apart by --by", async () => {
  const path = folder();
  const rows = RUNS.flatMap((run, i) => run.map((row) => ({ ...row, rollout_id: `${row.rollout_id}-${i}`, trial: i })));
  const { code, stdout } = await wai(["variance", written(path("all.jsonl"), rows), "--by", "trial", "--json"]);
  expect({ code, report: JSON.parse(stdout) }).toEqual({
    code: 0,
    report: toWire(evalVariance([rows], { by: "trial" })),
  });
});
