import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { datasetReport } from "./dataset-report.ts";
import { formatDatasetReport } from "./format-dataset-report.ts";

const row = (stance: string, reward: number | null, extra: Row = {}): Row => ({
  prompt: `${stance} ask`,
  final_text: "done",
  scenario_dimensions: { stance },
  reward,
  ...extra,
});

const ROWS: Row[] = [
  row("ordinary", 1),
  row("hurried", 1, { final_text: " " }),
  row("boundary", 0, { failure_class: "wrong tool" }),
  row("boundary", 0, { failure_class: "wrong tool", final_text: "I cannot" }),
  row("adversarial", 0),
  row("unsure", null),
];

test("formatDatasetReport: counts, failures and difficulty", () => {
  expect(formatDatasetReport(datasetReport(ROWS))).toBe(
    [
      "6 rows, 5 unique prompts, 5 labeled: 2 pass, 3 fail (fail rate 60.0%)",
      "  usable for SFT 1, 2 distinct behaviors, 5 cells",
      "  failures: wrong tool 2 (67%), unclassified 1 (33%)",
      "  hard share 66.7%: ordinary 2 (fail rate 0.0%), ambiguous 1 (fail rate not measured), boundary 2 (fail rate 100.0%), adversarial 1 (fail rate 100.0%)",
    ].join("\n"),
  );
});

test("six failure classes and four warnings of a kind are printed, and how many more there are", () => {
  const rows = ["a", "b", "c", "d", "e", "f", "g", "h"].map((failure_class) => row("boundary", 0, { failure_class }));
  const grid = { cellsTotal: 9, preflightWarnings: ["one", "two", "three", "four", "five"] };
  const mixed = [...rows, null, { reward: 1 }] as Row[];
  expect(formatDatasetReport(datasetReport(mixed, { grid }))).toBe(
    [
      "9 rows, 1 unique prompt, 9 labeled: 1 pass, 8 fail (fail rate 88.9%)",
      "  usable for SFT 0, 1 distinct behavior, cells 1 of 9",
      "  1 row without a prompt",
      "  1 value left out: not a row",
      "  failures: a 1 (12%), b 1 (12%), c 1 (12%), d 1 (12%), e 1 (12%), f 1 (12%) and 2 more",
      "  hard share 88.9%: boundary 8 (fail rate 100.0%), unlabelled 1 (fail rate 0.0%)",
      "  warning: 1 of 9 rows carry no known stance: their difficulty is unknown, so read hard_share as a floor, they count as not hard",
      "  before the run: one",
      "  before the run: two",
      "  before the run: three",
      "  before the run: four",
      "  before the run: and 1 more",
    ].join("\n"),
  );
});

test("rows nobody graded or labelled", () => {
  expect(formatDatasetReport(datasetReport([{ prompt: "a" }, { prompt: "b" }]))).toBe(
    [
      "2 rows, 2 unique prompts, none labeled",
      "  usable for SFT 0, 1 distinct behavior",
      "  hard share not measured: unlabelled 2 (fail rate not measured)",
      "  warning: 2 of 2 rows carry no known stance: their difficulty is unknown, so hard_share is not measured",
    ].join("\n"),
  );
});

test("no rows", () => {
  expect(formatDatasetReport(datasetReport([]))).toBe("dataset: no rows");
});
