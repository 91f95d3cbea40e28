import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { metaOf, readRowFiles } from "../../src/files.ts";
import { testFolder } from "./folder.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const { path } = testFolder();

function resultsBeside(name: string, metadata: string | null): string {
  const folder = path(name);
  mkdirSync(folder);
  const line = { example_id: 1, prompt: "p", completion: "c", reward: 1 };
  writeFileSync(join(folder, "results.jsonl"), JSON.stringify(line));
  if (metadata !== null) writeFileSync(join(folder, "metadata.json"), metadata);
  return join(folder, "results.jsonl");
}

test.each([
  ["verifiers", "sums/3", "m-1", { temperature: 0.7, max_tokens: 512 }],
  ["lm-eval", "choices/0", undefined, undefined],
])("the folder of a run of %s is its rollouts and what lies beside them", async (folder, task, model, sampling) => {
  const { rows, report } = await readRowFiles([join(FIXTURES, folder)]);
  expect(rows[0]).toMatchObject({ scenario_id: task });
  expect([rows[0]?.model_version, rows[0]?.sampling]).toEqual([model, sampling]);
  expect(report.warnings.filter(({ code }) => code === "unknown_env")).toEqual([]);
  if (folder === "lm-eval") expect(report.models).toEqual(new Map([["org/m-1", 2]]));
});

test("what holds for the run is the report's meta, and its tools are the report's", async () => {
  const { report } = await readRowFiles([join(FIXTURES, "verifiers", "results.jsonl")]);
  expect(report.meta).toMatchObject({ verifiers: { env_id: "sums", pass_threshold: 0.5 } });
  expect(report.tools).toEqual([
    { type: "function", function: { name: "add", description: "Adds.", parameters: { type: "object" } } },
  ]);
  expect(metaOf(report)).toMatchObject({ verifiers: { model: "m-1" } });
});

test("what cannot be read there costs no rows, and is said", async () => {
  const file = resultsBeside("broken", "{oops");
  const { rows, report } = await readRowFiles([file]);
  expect(rows).toMatchObject([{ scenario_id: "verifiers/1" }]);
  expect(report.warnings.map(({ code }) => code)).toEqual(["bad_beside", "unknown_env"]);
});

test("two runs under one name are rollouts of their own", async () => {
  const files = ["a", "b"].map((model) => resultsBeside(model, JSON.stringify({ env_id: "e", model })));
  const { rows } = await readRowFiles(files);
  expect(rows.map(({ scenario_id: task, model_version: model }) => [task, model])).toEqual([
    ["e/1", "a"],
    ["e/1", "b"],
  ]);
});

test("two files that ask another thing under one id are said to, before they are pooled", async () => {
  const line = (prompt: string) => JSON.stringify({ example_id: 1, prompt, completion: "c", reward: 1 });
  const files = ["2+2?", "2+3?"].map((prompt, i) => {
    writeFileSync(path(`ask-${i}.jsonl`), line(prompt));
    return path(`ask-${i}.jsonl`);
  });
  const { report } = await readRowFiles(files, { env: "sums" });
  expect(report.warnings).toMatchObject([{ code: "task_prompts_differ", text: expect.stringContaining("sums/1") }]);
});
