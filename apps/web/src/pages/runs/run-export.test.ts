import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { tableText } from "../../parts/table-text.ts";
import { allColumns, columnsOf } from "./run-columns.ts";
import { takenRuns } from "./run-export.ts";
import { runView } from "./run-view.ts";

const at = "2026-09-01T00:00:00.000Z";
const run: RunRow = {
  ...{ id: "r_4", runId: "r_4", agent: "a", version: "v4|x", targets: [], trainedOn: [], status: "done" },
  ...{ archived: false, createdAt: at, updatedAt: at, method: "a&b", hours: 1, costUsd: 2 },
  evals: [{ behavior: "refunds", score: 83, ci: 3, testVersion: "t", createdAt: at }],
};
const served = { v: "v3", score: 88, ci: 4, run: "r3", testVersion: "t" };
const known = allColumns({ behavior: null, behaviors: [] });
const views = [runView(run, { behavior: "refunds", served })];
const taken = takenRuns(views, columnsOf(known, ["score", "method"]));

test.each([
  ["CSV", "version,run,method,score,ci,toServed,toServedCi,missing\r\nv4|x,r_4,a&b,83,3,-5,5,record\r\n"],
  [
    "JSONL",
    '{"version":"v4|x","run":"r_4","method":"a&b","score":83,"ci":3,"toServed":-5,"toServedCi":5,"missing":"record"}\n',
  ],
  [
    "markdown",
    "| version | run | method | score | to served | missing |\n|---|---|---|---|---|---|\n| v4\\|x | r\\_4 | a&b | 83.0 ± 3.0 | −5.0 ± 5.0 | record |\n",
  ],
  [
    "LaTeX",
    "\\begin{tabular}{llllll}\n  \\hline\n  version & run & method & score & to served & missing \\\\\n  \\hline\n  v4|x & r\\_4 & a\\&b & 83.0 $\\pm$ 3.0 & $-$5.0 $\\pm$ 5.0 & record \\\\\n  \\hline\n\\end{tabular}\n",
  ],
] as const)("runs as %s: numbers for a program, texts for a reader", (format, text) =>
  expect(tableText(taken, format)).toBe(text),
);

test("what a run did not post is null and not a word", () => {
  const [facts] = takenRuns(
    [runView({ ...run, hours: null, evals: [] }, { behavior: "refunds", served })],
    [...columnsOf(known, ["score", "hours", "seed", "test"])],
  ).facts;
  expect(facts).toMatchObject({ score: null, ci: null, hours: null, seed: null, testVersion: null, toServed: null });
});
