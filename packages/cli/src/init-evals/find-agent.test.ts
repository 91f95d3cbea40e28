import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentAt, findAgent, namedAgent } from "./find-agent.ts";

function project(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "wai-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

const FUNCTION = "export async function answer(message) { return message; }";

test.each<[string, Record<string, string>, object | null]>([
  ["nothing", { "src/index.ts": "export const port = 1;" }, null],
  [
    "a function in a file named after it",
    { "src/agent.ts": FUNCTION },
    { kind: "function", file: "src/agent.ts", export: "answer" },
  ],
  [
    "a function named after it",
    { "lib/x.js": "export const supportBot = (m) => m;" },
    { export: "supportBot", kind: "function" },
  ],
  [
    "one that makes agents is none",
    { "src/agent.ts": "export function createAgent(options) {}\nexport const runAgent = (messages) => 1;" },
    { export: "runAgent", input: "messages" },
  ],
  ["a pattern names its key", { "agent.mjs": "export default ({ prompt }) => prompt;" }, { input: { key: "prompt" } }],
  [
    "OpenAI Agents",
    { "src/agent.ts": 'import { Agent } from "@openai/agents";\nexport const agent = new Agent({ name: "a" });' },
    { kind: "openai-agents" },
  ],
  [
    "the AI SDK",
    { "src/support.ts": "import { ToolLoopAgent } from 'ai';\nexport const support = new ToolLoopAgent({ model });" },
    { kind: "ai-sdk", export: "support" },
  ],
  [
    "LangGraph",
    {
      "src/graph.ts":
        'import { StateGraph } from "@langchain/langgraph";\nexport const graph = new StateGraph(S).addNode("a", a).compile();',
    },
    { kind: "langchain", export: "graph" },
  ],
  [
    "Mastra",
    {
      "src/mastra/agents/desk.ts":
        'import { Agent } from "@mastra/core/agent";\nexport const desk = new Agent({ name: "d" });',
    },
    { kind: "mastra", export: "desk" },
  ],
  [
    "an Agent of another house is none",
    { "src/http.ts": 'import { Agent } from "undici";\nexport const pool = new Agent({});' },
    null,
  ],
  [
    "what lies in tests and in what is built",
    { "test/agent.ts": FUNCTION, "dist/agent.js": FUNCTION, "src/agent.test.ts": FUNCTION },
    null,
  ],
  [
    "the file of that name counts more",
    { "src/util.ts": "export const agentOf = (m) => m;", "src/agent.ts": FUNCTION },
    { file: "src/agent.ts" },
  ],
])("%s", (_what, files, expected) => {
  const found = findAgent(project(files));
  if (expected === null) expect(found).toBeNull();
  else expect(found?.agent).toMatchObject(expected);
});

test("the tools that its file names are found, with what they are for", () => {
  const dir = project({
    "agent.ts": `import { tool, ToolLoopAgent } from "ai";
const lookUp = { name: "look_up", description: "Read an order, such as A1001." };
export const agent = new ToolLoopAgent({ tools: { refund: tool({ description: "Pay it back,\\n\\"now\\".", inputSchema }) } });`,
  });
  expect(findAgent(dir)?.agent.tools).toEqual([
    { name: "look_up", description: "Read an order, such as A1001." },
    { name: "refund", description: 'Pay it back,n"now".' },
  ]);
});

test("the others are named", () => {
  const dir = project({ "agent.mjs": FUNCTION, "bots/a.mjs": "export const botA = (m) => m;" });
  expect(findAgent(dir)?.others).toEqual(["bots/a.mjs#botA"]);
});

test.each<[string, object]>([
  ["own.mjs", { kind: "function", export: "first" }],
  ["own.mjs#second", { kind: "function", export: "second", input: "messages" }],
])("--agent %s", (named, expected) => {
  const dir = project({ "own.mjs": "export function first(m) {}\nexport function second(messages) {}" });
  expect(namedAgent(dir, named)).toMatchObject(expected);
});

test.each<[string, string]>([
  ["none.mjs", "there is no such file"],
  ["own.mjs#secnd", "Give own.mjs#second"],
  ["types.ts", "it exports no function and no object"],
])("--agent %s is refused: %s", (named, said) => {
  const dir = project({ "own.mjs": "export function second(m) {}", "types.ts": "export type A = 1;" });
  expect(() => namedAgent(dir, named)).toThrow(said);
});

test.each(["localhost:3000", "ftp://a/b", "chat"])("--endpoint %s is refused", (url) => {
  expect(() => agentAt(url)).toThrow("Give an address");
});
