import { expect, test } from "vitest";
import { compareSettings } from "./compared-runs.ts";

test("settings that differ stand beside each other, and those that do not are counted", () => {
  const runs = [
    { config: { lr: 1e-5, method: "sft", lora: { rank: 16 } } },
    { config: { lr: 5e-6, method: "sft", lora: { rank: 16 }, beta: 0 } },
  ];
  expect(compareSettings(runs)).toEqual({
    apart: [
      { name: "lr", values: ["0.00001", "0.000005"] },
      { name: "beta", values: [null, "0"] },
    ],
    alike: 2,
  });
});

test("a run of an agent has its settings in its record", () => {
  const runs = [{ record: { optimizer: { lr: 1 } } }, { config: { lr: 2 } }, {}];
  expect(compareSettings(runs)).toEqual({ apart: [{ name: "lr", values: ["1", "2", null] }], alike: 0 });
});
