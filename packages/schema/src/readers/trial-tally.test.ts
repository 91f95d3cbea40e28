import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const line = (reward: number | null, error: unknown = null) =>
  JSON.stringify({ example_id: 1, prompt: "a", completion: "b", reward, error, metrics: {} });

const said = (...lines: string[]) =>
  readRows(lines.join("\n"), { env: "sums" }).report.warnings.find(({ code }) => code === "infrastructure_errors")
    ?.text;

test.each([
  [
    "all are graded or lost",
    [line(1), line(0), line(0, "cut")],
    "1 of 3 rollouts ended in an error and has no reward: the mean over the others is 0.500",
  ],
  [
    "one came to its end without a grade",
    [line(1), line(null), line(0, "cut")],
    "1 of 3 rollouts ended in an error and has no reward: the mean over the 1 that is graded is 1.000",
  ],
  [
    "two of four have a grade",
    [line(1), line(1), line(null), line(0, "cut")],
    "1 of 4 rollouts ended in an error and has no reward: the mean over the 2 that are graded is 1.000",
  ],
])("every rollout of the file is among those it counts: %s", (_, lines, sentence) => {
  expect(said(...lines)).toContain(sentence);
});

test("a value that is thousands of characters long is cut short in a refusal", () => {
  const long = "é".repeat(9000);
  const row = JSON.stringify({ rollout_id: long, task_id: "a", prompt: "p", final_text: "f" });
  for (const [text, options] of [
    [`${row}\n${row}`, {}],
    [
      JSON.stringify({ rollout_id: "r", scorer: { name: "j", kind: long }, reward: 1, status: "ok" }),
      { format: "typed" },
    ],
  ] as const) {
    let what = "";
    try {
      readRows(text, options);
    } catch (error) {
      what = (error as { what: string }).what;
    }
    expect(what).not.toBe("");
    expect(what.length).toBeLessThan(500);
  }
});
