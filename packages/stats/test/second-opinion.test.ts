import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { expect, test } from "vitest";
import { secondOpinion } from "../src/index.ts";

const file = fileURLToPath(new URL("../../../../shared/data/tau-bench/gpt-4o-airline.json", import.meta.url));
const isHere = existsSync(file);
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

test.skipIf(!isHere)(
  `the published airline run of tau-bench: its numbers are ours, pass^1 to pass^4${reason}`,
  async () => {
    const { rows, report } = await readRowFiles([file]);
    const opinion = secondOpinion(rows, report)!;
    expect(opinion).toMatchObject({ nCompared: 5, nAgree: 5, nUnexplained: 0, nOtherFiles: 0 });
    const [found] = opinion.files;
    expect(found!.ours).toMatchObject({ passAt1: 0.42, nTasks: 50, nRows: 200, nRowsTotal: 200 });
    const numbers = found!.headlines.map(({ name, value }) => [name, Number(value.toFixed(3))]);
    expect(numbers).toEqual([
      ["average reward", 0.42],
      ["pass^1", 0.42],
      ["pass^2", 0.273],
      ["pass^3", 0.22],
      ["pass^4", 0.2],
    ]);
  },
);

test.each([
  ["tau2/results.json", true],
  ["inspect/2026-01-02T03-04-05_arith_t1.json", true],
  ["lm-eval/samples_sums_2026-01-02T03-04-05.123456.jsonl", true],
  ["lm-eval/samples_choices_2026-01-02T03-04-05.jsonl", true],
  ["verifiers/results.jsonl", false],
  ["promptfoo/results.json", false],
  ["promptfoo/results.jsonl", false],
  ["chat-logs/deepeval.jsonl", false],
  ["chat-logs/mlflow.jsonl", true],
  ["chat-logs/langfuse.jsonl", true],
  ["chat-logs/braintrust.jsonl", false],
])("the number of %s is ours (%s), or every difference has its reason", async (name, agree) => {
  const path = fileURLToPath(new URL(`../../schema/test/fixtures/${name}`, import.meta.url));
  const { rows, report } = await readRowFiles([path]);
  const opinion = secondOpinion(rows, report)!;
  expect(opinion.nUnexplained).toBe(0);
  const compared = opinion.files[0]!.headlines.filter((headline) => headline.agree !== null);
  expect(compared.length).toBeGreaterThan(0);
  for (const headline of compared) {
    expect(headline.agree).toBe(agree);
    expect(headline.reasons.length > 0).toBe(!agree);
  }
  expect(JSON.stringify(toWire(opinion))).not.toMatch(/"[a-z_0-9]*[A-Z][A-Za-z]*":/);
});
