import { expect, test } from "vitest";
import { formats, registerFormat } from "./registry.ts";

test("the formats are there, unsloth is trl", () => {
  expect(formats.list().map(({ name }) => name)).toEqual([
    "openai",
    "trl",
    "fireworks",
    "openai-ft",
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
    "anthropic",
  ]);
  expect(formats.get("unsloth")).toBe(formats.get("trl"));
});

test("__proto__ is no format", () => {
  expect(() => formats.get("__proto__")).toThrow(/^format_unknown/);
});

test("a name is given once", () => {
  expect(() => registerFormat(formats.get("trl"))).toThrow(/^invalid_option: A format trl is registered already/);
});
