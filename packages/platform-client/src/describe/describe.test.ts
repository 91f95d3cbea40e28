import { harnessVersion } from "@while/schema";
import { expect, test } from "vitest";
import { describe } from "./describe.ts";

/** Agents as the named releases build them, cut to what is read: `new Agent({...})` and its like were printed once. */
const lookup = { type: "function", name: "lookup_order", description: "d" };
const openAi = {
  ...{ name: "Refund bot", model: "gpt-5", instructions: "Be brief.", tools: [lookup], modelSettings: {} },
  ...{ handoffs: [{ name: "Billing desk", handoffs: [], modelSettings: {} }], mcpServers: [{ name: "files" }] },
};
const aiSdk = {
  version: "agent-v1",
  settings: {
    id: "refund",
    model: { modelId: "gpt-5", provider: "openai" },
    instructions: { role: "system", content: "Be brief." },
  },
  get id() {
    return this.settings.id;
  },
  tools: { lookup_order: { description: "d" } },
};
const langChain = {
  options: { name: "refund", model: "openai:gpt-5", systemPrompt: "Be brief.", tools: [lookup] },
  graph: {},
};
const langGraph = {
  ...{ lg_is_pregel: true, name: "refund" },
  nodes: { agent: { bound: { func: () => {} } }, tools: { bound: { tools: [lookup] } } },
};
const mastra = {
  ...{ name: "refund", id: "refund" },
  getInstructions: () => [
    { role: "system", content: "Be" },
    { role: "system", content: "brief." },
  ],
  getModel: async () => ({ modelId: "gpt-5" }),
  getTools: () => ({ lookup_order: {} }),
};
const claude = {
  ...{ model: "claude-haiku-4-5", allowedTools: ["Read", "Bash"] },
  systemPrompt: { type: "preset", preset: "claude_code", append: "Be brief." },
};

test.each([
  ["openai-agents", openAi, "Refund bot", "gpt-5", "Be brief.", ["lookup_order"]],
  ["ai-sdk", aiSdk, "refund", "gpt-5", "Be brief.", ["lookup_order"]],
  ["langchain", langChain, "refund", "openai:gpt-5", "Be brief.", ["lookup_order"]],
  ["langgraph", langGraph, "refund", null, undefined, ["lookup_order"]],
  ["mastra", mastra, "refund", "gpt-5", "Be\nbrief.", ["lookup_order"]],
  ["claude-agent-sdk", claude, "agent", "claude-haiku-4-5", "preset:claude_code\nBe brief.", ["Read", "Bash"]],
  ["object", { name: "bot", model: "m", system: "S", tools: { a: {}, b: {} } }, "bot", "m", "S", ["a", "b"]],
])("%s", async (source, agent, name, model, instructions, tools) => {
  const described = await describe(agent);
  expect(described).toMatchObject({ source, name, model });
  expect(described.harness.instructions).toBe(instructions);
  expect(described.harness.tools).toEqual(tools);
});

test("handoffs and servers are part of an OpenAI agent's harness, by the names that the model sees", async () => {
  const { harness } = await describe(openAi);
  expect(harness.disclosure).toEqual({ handoffs: ["transfer_to_Billing_desk"], mcpServers: ["files"] });
});

test("two agents whose prompts are functions do not share the hash of no prompt", async () => {
  const dynamic = await describe({ ...openAi, instructions: () => "x" });
  const none = await describe({ ...openAi, instructions: undefined });
  expect(harnessVersion(dynamic.harness)).not.toBe(harnessVersion(none.harness));
  expect(dynamic.warnings[0]).toContain("its instructions are a function");
});

test("what cannot be read is named, and nothing is thrown", async () => {
  const hostile = {
    name: "bot",
    get model() {
      throw new Error("boom");
    },
    get tools() {
      throw new Error("boom");
    },
  };
  expect(await describe(hostile)).toMatchObject({ name: "bot", model: null, harness: { tools: [] } });
  const request = { ...mastra, getInstructions: () => Promise.reject(new Error("no request")) };
  const described = await describe(request);
  expect(described.warnings[0]).toContain("getInstructions() fails without a request (no request)");
  expect(described.harness.disclosure).toEqual({ dynamicInstructions: true });
  expect((await describe(langGraph)).warnings[0]).toContain("LangGraph hides model and prompt");
});

class Refunder {}

test.each<[unknown, string]>([
  ["lookup_order", "lookup_order"],
  [{ name: "a" }, "a"],
  [function refund() {}, "refund"],
  [{ function: { name: "b" } }, "b"],
  [{ func: function c() {} }, "c"],
  [new Refunder(), "Refunder"],
])("a tool is called by its name in whatever shape it has (%#)", async (tool, name) => {
  const { harness } = await describe({ tools: [tool] });
  expect(harness.tools).toEqual([name]);
});

test("the name is the option, the agent's, its class, or agent", async () => {
  expect((await describe(openAi, { name: "Other" })).name).toBe("Other");
  expect((await describe(new Refunder())).name).toBe("Refunder");
  expect((await describe({})).name).toBe("agent");
});

test("a reworded tool is told by toolsHash and not by the fingerprint; the order of tools and keys is not", async () => {
  const parameters = { type: "object", properties: { id: { type: "string" } } };
  const tools = [
    { ...lookup, parameters },
    { name: "refund", description: "pays back" },
  ];
  const of = async (list: unknown) => (await describe({ ...openAi, tools: list })).toolsHash;
  const hash = await of(tools);
  expect(hash).toMatch(/^[0-9a-f]{12}$/);
  expect(await of([...tools].reverse())).toBe(hash);
  expect(await of([{ parameters, description: "d", name: "lookup_order", type: "function" }, tools[1]])).toBe(hash);
  const reworded = [{ ...lookup, parameters, description: "look it up" }, tools[1]];
  expect(await of(reworded)).not.toBe(hash);
  expect(await of([{ ...lookup, parameters: { ...parameters, required: ["id"] } }, tools[1]])).not.toBe(hash);
  const [one, other] = [await describe({ ...openAi, tools }), await describe({ ...openAi, tools: reworded })];
  expect(harnessVersion(one.harness)).toBe(harnessVersion(other.harness));
  expect(await of(["lookup_order"])).toBe(null);
  expect(await of([{ name: "lookup_order", schema: new Refunder() }])).toBe(null);
  expect((await describe(aiSdk)).toolsHash).not.toBe(null);
});
