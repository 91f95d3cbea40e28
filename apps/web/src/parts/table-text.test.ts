import { expect, test } from "vitest";
import { type TakenTable, tableText } from "./table-text.ts";

const table: TakenTable = {
  heads: ["version", "score"],
  cells: [
    ["v4|x_1", "83.0 ± 3.0"],
    ["50% & more", "−5.0"],
  ],
  facts: [
    { version: "v4|x_1", score: 83, ci: 3 },
    { version: "=cmd()", score: -5, ci: null },
  ],
};

test.each([
  ["CSV", "version,score,ci\r\nv4|x_1,83,3\r\n'=cmd(),-5,\r\n"],
  ["JSONL", '{"version":"v4|x_1","score":83,"ci":3}\n{"version":"=cmd()","score":-5,"ci":null}\n'],
  [
    "LaTeX",
    "\\begin{tabular}{ll}\n  \\hline\n  version & score \\\\\n  \\hline\n  v4|x\\_1 & 83.0 $\\pm$ 3.0 \\\\\n  50\\% \\& more & $-$5.0 \\\\\n  \\hline\n\\end{tabular}\n",
  ],
  ["markdown", "| version | score |\n|---|---|\n| v4\\|x\\_1 | 83.0 ± 3.0 |\n| 50% & more | −5.0 |\n"],
] as const)("a table as %s", (format, text) => expect(tableText(table, format)).toBe(text));

test("a fact that only some rows have is a column of all", () => {
  const facts = [{ run: "a" }, { run: "b", seed: 7 }];
  expect(tableText({ heads: [], cells: [], facts }, "CSV")).toBe("run,seed\r\na,\r\nb,7\r\n");
});
