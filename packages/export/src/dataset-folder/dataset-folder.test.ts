import { toWire } from "@while/schema";
import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import { datasetCardFeatures } from "./dataset-card-features.ts";
import { datasetFolderFiles } from "./dataset-folder-files.ts";

test.each([
  // lines, features
  [['{"reward": 1.0}', '{"reward": 0.5}'], [{ name: "reward", dtype: "float64" }]],
  [['{"k": 1}', '{"k": 2.5}'], [{ name: "k", dtype: "float64" }]],
  [['{"id": 12345678901234567890}'], [{ name: "id", dtype: "int64" }]],
  [['{"a": "x"}', '{"a": null}', "{}"], [{ name: "a", dtype: "string" }]],
  [['{"a": "x"}', '{"a": ["x"]}'], [{ name: "a", dtype: "json" }]],
  [['{"f": {"a": 1}}', '{"f": {"b": 1}}'], [{ name: "f", dtype: "json" }]],
  [['{"loss_mask": [0, 1]}'], [{ name: "loss_mask", list: "int64" }]],
  [['{"n": [["x"]]}'], [{ name: "n", dtype: "json" }]],
  [['{"messages": [{"role": "user"}]}'], [{ name: "messages", list: "json" }]],
  [['{"prompt": "x"}'], [{ name: "prompt", dtype: "string" }]],
  [['{"tools": [{"a": 1}, {"b": 2}]}'], [{ name: "tools", list: "json" }]],
])("the columns of %j", (lines, features) => {
  expect(datasetCardFeatures(lines)).toEqual(features);
});

const ROWS = [1, 0].map((reward, i) => ({
  scenario_id: "a",
  rollout_index: i,
  prompt: "Hi",
  final_text: "Hello",
  reward,
}));

test("a folder has its card, its record and a file a split", () => {
  const { lines, report } = exportLines(ROWS, { format: "trl" });
  const { files, report: folder } = datasetFolderFiles({
    splits: { train: lines },
    card: { title: "Greetings", license: "apache-2.0", reports: { train: report }, facts: [["judge", "clerk | v2"]] },
  });
  expect([...files.keys()]).toEqual(["README.md", "whileai.json", "data/train.jsonl"]);
  expect(files.get("data/train.jsonl")).toBe(`${lines.join("\n")}\n`);
  expect(JSON.parse(files.get("whileai.json")!)).toMatchObject({
    schema: 1,
    splits: { train: { rows: 2, pass_rate: 0.5, sha256: folder.splits[0]!.sha256, history: [] } },
  });
  expect(toWire(folder)).toMatchObject({ splits: [{ pass_rate: 0.5 }] });
  const card = files.get("README.md")!;
  expect(card.split("\n").slice(0, 12)).toEqual([
    ...["---", "license: apache-2.0", "tags: [while]", "configs:", "- config_name: default", "  data_files:"],
    ...["  - {split: train, path: data/train.jsonl}", "dataset_info:", "  config_name: default", "  features:"],
    ...["  - {name: messages, list: json}", "  - {name: reward, dtype: float64}"],
  ]);
  expect(card).toContain("# Greetings");
  expect(card).toContain("| train | 2 | 1 | 0.50 | ");
  expect(card).toContain("| judge | clerk \\| v2 |");
  expect(card).toContain("every token of the rows trains");
});

test.each([
  [{}, "empty_export"],
  [{ train: [] }, "empty_export"],
  [{ "my split": ["{}"] }, "invalid_option"],
])("splits %j are refused as %s", (splits, code) => {
  expect(() => datasetFolderFiles({ splits })).toThrow(expect.objectContaining({ code }));
});

test("names that YAML would read as something else are quoted", () => {
  const card = datasetFolderFiles({ splits: { train: ['{"no": 1, "a: b": 2}'] } }).files.get("README.md")!;
  expect(card).toContain('  - {name: "no", dtype: int64}\n  - {name: "a: b", dtype: int64}');
});
