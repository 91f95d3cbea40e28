import { expect, test } from "vitest";
import { formats, kindUnsupported, registerFormat } from "./registry.ts";

test("the formats are there, unsloth is trl", () => {
  expect(formats.list().map(({ name }) => name)).toEqual([
    "openai",
    "trl",
    "fireworks",
    "openai-ft",
    "openai-rft",
    "together",
    "axolotl",
    "llamafactory",
    "verl",
    "openrlhf",
    "torchtune",
    "nemo-rl",
    "ms-swift",
    "mistral",
    "bedrock",
    "vertex",
    "vertex-rft",
    "anthropic",
  ]);
  expect(formats.get("unsloth")).toBe(formats.get("trl"));
});

test("a format has a writer for each of its kinds, and no other", () => {
  for (const { name, kinds, ...spec } of formats.list()) {
    const written = [
      ...(spec.writeSft === undefined ? [] : ["sft"]),
      ...(spec.preference === undefined ? [] : ["preference"]),
      ...(spec.kto === undefined ? [] : ["kto"]),
      ...(spec.rewardModel === undefined ? [] : ["reward-model"]),
      ...(spec.grpo === undefined ? [] : ["grpo"]),
    ];
    expect([name, ...written]).toEqual([name, ...kinds]);
  }
});

test.each([
  ["openai-rft", "sft", "supervised tuning"],
  ["verl", "preference", "preference pairs"],
  ["openai", "kto", "KTO"],
  ["axolotl", "reward-model", "a reward model"],
  ["axolotl", "grpo", "grouped RL"],
] as const)("%s has no rows of the kind %s, and the error names those that have", (format, kind, words) => {
  const error = kindUnsupported(formats.get(format), kind);
  expect(error.message).toContain(`${format} has no rows for ${words}`);
  expect(error.fix).toContain("trl");
});

test("__proto__ is no format", () => {
  expect(() => formats.get("__proto__")).toThrow(/^format_unknown/);
});

test("a name is given once", () => {
  expect(() => registerFormat(formats.get("trl"))).toThrow(/^invalid_option: A format trl is registered already/);
});
