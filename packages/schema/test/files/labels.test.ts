import { expect, test } from "vitest";
import { readLabels } from "../../src/files.ts";
import { attachLabels } from "../../src/index.ts";
import { testFolder } from "./folder.ts";

const { write } = testFolder();

test("labels of a table may be words; ids keep their zeros", async () => {
  const text = "scenario_id,rollout_index,label,annotator\n007,0,Pass,ann\n007,1,no,ann\n008,0,TRUE,bo\n008,1,0.5,bo\n";
  const labels = await readLabels(write("labels.csv", text));
  expect(labels.map(({ label }) => label)).toEqual([1, 0, true, 0.5]);
  const rows = ["007", "008"].flatMap((scenario_id) => [0, 1].map((rollout_index) => ({ scenario_id, rollout_index })));
  const { rows: labeled, report } = attachLabels(rows, labels, { kind: "human" });
  expect(labeled.map(({ gold_reward }) => gold_reward)).toEqual([1, 0, 1, undefined]);
  expect(report.invalid).toBe(1);
});

test.each(["labels.jsonl", "labels.txt"])("labels of %s are JSON, where a word is none", async (name) => {
  const labels = await readLabels(write(name, '{"key":"a","label":"pass"}\n{"key":"b","label":1}\n'));
  const { report } = attachLabels([{ rollout_id: "b" }], labels, { kind: "human" });
  expect(report).toMatchObject({ matched: 1, invalidExamples: ['"pass"'] });
});

test("a file that is not there is named", async () => {
  await expect(readLabels("labels-nowhere.csv")).rejects.toThrow("labels-nowhere.csv");
});
