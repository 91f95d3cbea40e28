import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { columnsOf } from "./run-columns.ts";
import { runsAsText } from "./run-export.ts";
import { runView } from "./run-view.ts";

const at = "2026-09-01T00:00:00.000Z";
const run: RunRow = {
  ...{ id: "r_4", runId: "r_4", agent: "a", version: "v4|x", targets: [], trainedOn: [], status: "done" },
  ...{ archived: false, createdAt: at, updatedAt: at, method: "a&b", hours: 1, costUsd: 2 },
  evals: [{ behavior: "refunds", score: 83, ci: 3, testVersion: "t", createdAt: at }],
};
const served = { v: "v3", score: 88, ci: 3, run: "r3", testVersion: "t" };
const views = [runView(run, { behavior: "refunds", served })];
const columns = columnsOf(["score", "method"]);

test.each([
  ["CSV", "version,run,method,score,to served,missing\r\nv4|x,r_4,a&b,83.0 ± 3.0,−5.0 ± 4.2,record\r\n"],
  [
    "markdown",
    "| version | run | method | score | to served | missing |\n|---|---|---|---|---|---|\n| v4\\|x | r\\_4 | a&b | 83.0 ± 3.0 | −5.0 ± 4.2 | record |\n",
  ],
  [
    "LaTeX",
    "\\begin{tabular}{llllll}\n  \\hline\n  version & run & method & score & to served & missing \\\\\n  \\hline\n  v4|x & r\\_4 & a\\&b & 83.0 $\\pm$ 3.0 & $-$5.0 $\\pm$ 4.2 & record \\\\\n  \\hline\n\\end{tabular}\n",
  ],
] as const)("as %s", (as, text) => expect(runsAsText(views, columns, as)).toBe(text));
