import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openaiServer } from "./openai-server.ts";
import { gist, nodeTool, readLog, TIMEOUT_MS } from "./tool.ts";

const openai = nodeTool("openai", "openai", ["write-openai.mjs", "{into}"], ["write-openai.mjs"]);

const refund = (order: string) => [["refund", { order, amount: 12.5 }]];
const CONVERSATIONS = [
  ["Refund order 42.", null, refund("42"), "Done: 42, née “Été”."],
  ["Refund order 7.", null, refund("7"), "Done: 7, née “Été”."],
];

describe.skipIf(openai.isMissing)(openai.title, () => {
  let folder: string;
  let close: () => void = () => {};

  beforeAll(async () => {
    const server = await openaiServer();
    close = server.close;
    folder = await openai.write(server.url);
  }, TIMEOUT_MS);
  afterAll(() => close());

  const read = (name: string) => readLog(openai, `OpenAI, ${name}`, [join(folder, name)]);

  test("messages that were sent again with every turn are conversations", async () => {
    const { rows, report } = await read("conversations.jsonl");
    expect(rows.map((row) => [row.prompt, ...gist(row).slice(2)])).toEqual(CONVERSATIONS);
    expect(report).toMatchObject({ format: "openai-chat", records: 2, warnings: [] });
    expect(report.tools).toMatchObject([{ type: "function", function: { name: "refund" } }]);
    expect([...report.systemPrompts.values()]).toEqual(["You refund orders."]);
  });

  test("requests to the Responses API and what came back are conversations, a turn being no row of its own", async () => {
    const { rows, report } = await read("responses.jsonl");
    expect(rows.map((row) => [row.prompt, ...gist(row).slice(2)])).toEqual(CONVERSATIONS);
    expect(report).toMatchObject({ format: "openai-responses", records: 4, warnings: [] });
    expect(rows[0]).toMatchObject({
      model_version: "clerk-1",
      sampling: { temperature: 0 },
      usage: { input_tokens: 40, output_tokens: 10 },
    });
    expect([...report.systemPrompts.values()]).toEqual(["You refund orders."]);
  });

  test("requests for chat completions and what came back are conversations in the same way", async () => {
    const { rows, report } = await read("chat-completions.jsonl");
    expect(rows.map((row) => [row.prompt, ...gist(row).slice(2)])).toEqual(CONVERSATIONS);
    expect(report).toMatchObject({ format: "openai-completions", records: 4, warnings: [] });
    expect(rows[0]).toMatchObject({
      model_version: "clerk-1",
      sampling: { temperature: 0 },
      usage: { input_tokens: 40, output_tokens: 10 },
    });
    expect([...report.systemPrompts.values()]).toEqual(["You refund orders."]);
  });

  test("a batch is read from its requests and results in one file, and from its results with a word on what they lack", async () => {
    const { rows, report } = await read("batch.jsonl");
    expect(rows.map((row) => [row.prompt, ...gist(row).slice(2)])).toEqual([
      ["Refund order 42.", null, [], "Done: 42, née “Été”."],
      ["Refund order 7.", null, [], "Done: 7, née “Été”."],
    ]);
    expect(report).toMatchObject({ format: "openai-batch", warnings: [] });
    expect(rows[0]).toMatchObject({ model_version: "clerk-1", usage: { input_tokens: 20, output_tokens: 5 } });

    const alone = await read("batch-output.jsonl");
    expect(alone.rows.map((row) => row.final_text)).toEqual(rows.map((row) => row.final_text));
    expect(alone.report.warnings.map(({ code }) => code)).toEqual(["no_requests"]);
  });
});
