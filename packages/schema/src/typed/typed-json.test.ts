import { expect, test } from "vitest";
import { fromRow } from "./from-row.ts";
import { datasetJson, typedRowJson } from "./typed-json.ts";

const ROW = {
  schema_version: "1",
  scenario_id: "s",
  prompt: "p",
  steps: [],
  final_text: "f",
  faults: { payOrder: { mode: "timeout" } },
  privileged: { hidden_state: { isPaid: true } },
  reward: 1,
  judge_name: "j",
  failure_class: "late",
  markers: { brief: 1 },
  calibration: { n: 4, pass_rate: 0.5 },
  tone: "calm",
};

test("every key of the types is snake_case and in its place; words of the user stay as they are", () => {
  const json = typedRowJson(fromRow(ROW)) as Record<string, never>;
  const keys = (object: object) => Object.keys(object).join(" ");
  expect(keys(json)).toBe("task rollout judgments markers");
  expect(keys(json.task!)).toBe("task_id spec_id prompt prefix world privileged axes behaviors lineage");
  expect(json.task).toMatchObject({
    world: { seed: null, state: null, faults: { payOrder: { mode: "timeout" } }, exemplars: {} },
    privileged: { principle: null, hidden_state: { isPaid: true }, reference: null, rubric: {} },
    axes: { tone: "calm" },
    lineage: { parent_task_id: null, transform: null, seed: null },
  });
  expect(keys(json.rollout!)).toBe(
    "rollout_id task_id policy index steps final_text ledger usable unusable_reason extra",
  );
  expect(json.rollout).toMatchObject({
    policy: { name: "", model: null, prompt_hash: null, version: null },
    ledger: [{ tool: "payOrder", mode: "timeout", rate: null, injected: true }],
    extra: { calibration: { task_id: "s", n: 4, pass_rate: 0.5, mean_kl: null }, passthrough: { privileged: {} } },
  });
  expect(json.judgments).toMatchObject([
    { scorer: { name: "j", kind: "judge", version: null }, failure_class: "late" },
  ]);
  expect(keys(json.judgments![0]!)).toBe("rollout_id scorer reward status reason failure_class evidence");
  expect(keys(json.markers![0]!)).toBe("rollout_id name value evidence");
});

test("a split is a list of task ids, whatever it is called", () => {
  const splits = new Map([
    ["train", ["s1"]],
    ["__proto__", ["s2"]],
  ]);
  const json = datasetJson({ datasetId: "d", specId: "", splits });
  expect(JSON.stringify(json)).toBe('{"dataset_id":"d","spec_id":"","splits":{"train":["s1"],"__proto__":["s2"]}}');
});
