import { harnessSweep, type SweepVariant } from "@while/simulate";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "./model-server.ts";

const TASKS = [1, 2, 3].map((n) => ({ scenario_id: `t${n}`, prompt: `Where is A100${n}?` }));
const TOOLS = [{ name: "get_order", description: "of A1001 to A1003", parameters: { order_id: { type: "string" } } }];
const judge = () => 1;

test("a variant without a function is its model, by its instructions, and its rows say who played it", async () => {
  const server = await startModelServer({});
  onTestFinished(() => server.close());
  const model = `vllm:test@${server.url}`;
  const variants: SweepVariant[] = [
    { harness: { label: "brief", model, instructions: "Be brief." } },
    { harness: { label: "own", model, instructions: "Be kind." }, agent: () => "Done." },
  ];
  const kinds = new Set<string>();
  const { variants: swept } = await harnessSweep(variants, TASKS, {
    ...{ judge, tools: TOOLS, k: 1, noiseRuns: 1 },
    onRows: (rows, label) => {
      for (const { harness } of rows) kinds.add(`${label} ${(harness as { kind: string }).kind}`);
    },
  });
  expect(swept.map(({ gradedRows }) => gradedRows)).toEqual([3, 3]);
  expect([...kinds]).toEqual(["brief prompted", "own callable"]);
  const said = server.requests.map(({ messages }) => JSON.stringify(messages));
  expect(said.length).toBeGreaterThanOrEqual(3);
  expect(said.every((text) => text.includes("Be brief."))).toBe(true);
});

test.each<[string, SweepVariant, RegExp]>([
  ["without a function and a model", { harness: { label: "bare" } }, /bare has neither an agent nor a model/],
  ["with a model that is nowhere", { harness: { label: "lost", model: "gpt-9" } }, /"gpt-9" is no endpoint/],
])("a variant %s is refused before the first rollout", async (_what, variant, said) => {
  await expect(harnessSweep([variant], TASKS, { judge })).rejects.toThrow(said);
});
