import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromMessages, messagesOf, type OtlpTraces, rowsFromOtel, stepsOf } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { type Agent, endpointAgent, type SimulateOptions, seededAgent, simulate } from "@while/simulate";
import { otlpFile } from "@while/simulate/files";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ModelServerOptions, startModelServer } from "./model-server.ts";

const TOOLS = [
  { name: "get_order", description: "of A1001 to A1003", parameters: { order_id: { type: "string" } } },
  { name: "refund_order", parameters: { order_id: { type: "string" } } },
];

function spansFile() {
  const folder = mkdtempSync(join(tmpdir(), "spans-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "spans.jsonl");
  const spans = () =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as OtlpTraces).resourceSpans[0]!.scopeSpans[0]!.spans);
  return { path, spans };
}

async function run(agent: Agent, options: SimulateOptions = {}) {
  const { path, spans } = spansFile();
  const tracer = otlpFile(path, { service: "desk" });
  const data = await simulate(agent, {
    tools: TOOLS,
    budget: 24,
    faultShare: 0.5,
    tracer,
    traceContent: true,
    ...options,
  });
  await tracer.close();
  return { ...data, path, spans };
}

async function overHttp(server: ModelServerOptions = {}, options: SimulateOptions = {}) {
  const { url, headers, close } = await startModelServer(server);
  onTestFinished(() => close());
  const agent = endpointAgent(url, { model: "test" });
  return { headers, ...(await run(agent, { systemPrompt: "Look an order up. Be brief.", ...options })) };
}

describe("rows come back from the spans of a run", () => {
  test.each([
    ["a model behind HTTP", () => overHttp()],
    ["one that gets its calls wrong", () => overHttp({ malformed: 0.5 })],
    ["an agent of one's own", () => run(seededAgent({ rate: 0.35 }))],
  ])("%s: prompt, steps, final text, usage and situation", async (_, made) => {
    const { rows, path } = await made();
    const read = await readRowFiles([path]);
    expect(read.rows).toHaveLength(24);
    const byId = new Map(read.rows.map((row) => [row.rollout_id, row]));
    for (const row of rows) {
      const back = byId.get(row.rollout_id)!;
      const told = ({ tool, arguments: given, result, text, user }: ReturnType<typeof stepsOf>[number]) => ({
        tool,
        given,
        result,
        text,
        user,
      });
      // What was said last is the final text in one place and a last step in the other.
      const own = (of: typeof row) => fromMessages(messagesOf(of)).steps.map(told);
      expect(own(back)).toEqual(own(row));
      expect(back).toMatchObject({ prompt: row.prompt, final_text: row.final_text, scenario_id: row.scenario_id });
      if (row.usage !== undefined) expect(back.usage).toEqual(row.usage);
      expect(back.lineage).toMatchObject({ agent: row.model_version });
    }
  });
});

test("a rollout is a trace: the agent, the calls of its model and of its tools, by the GenAI conventions", async () => {
  const { spans, headers } = await overHttp({}, { budget: 2, faultShare: 0 });
  const [trace] = spans();
  const root = trace!.at(-1)!;
  expect(trace!.map(({ name, kind }) => [name, kind])).toEqual([
    ["chat test", 3],
    ["execute_tool get_order", 1],
    ["chat test", 3],
    ["invoke_agent test", 1],
  ]);
  expect(
    trace!.slice(0, -1).every(({ parentSpanId, traceId }) => parentSpanId === root.spanId && traceId === root.traceId),
  ).toBe(true);
  const attribute = (span: (typeof trace & object)[number], key: string) =>
    span.attributes.find((one) => one.key === key)?.value;
  expect(attribute(root, "gen_ai.conversation.id")).toEqual({ stringValue: expect.stringMatching(/^r-[0-9a-f]{12}$/) });
  expect(attribute(trace![0]!, "gen_ai.response.finish_reasons")).toEqual({
    arrayValue: { values: [{ stringValue: "tool_calls" }] },
  });
  expect(attribute(trace![0]!, "gen_ai.request.temperature")).toEqual({ doubleValue: 0.8 });
  expect(attribute(trace![1]!, "gen_ai.tool.call.id")).toEqual({ stringValue: "call_0_2" });
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of trace!)
    expect(BigInt(end) >= BigInt(start)).toBe(true);
  // A server's own spans join the call that they are about.
  const chats = spans()
    .flat()
    .filter(({ name }) => name === "chat test");
  expect(headers.map(({ traceparent }) => traceparent).sort()).toEqual(
    chats.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).sort(),
  );
});

test("without content the spans hold nothing of what was said", async () => {
  const { path, rows } = await overHttp({}, { traceContent: false });
  const text = readFileSync(path, "utf8");
  for (const { prompt, final_text } of rows) {
    expect(text).not.toContain(prompt!.slice(0, 30));
    expect(text).not.toContain(final_text!.slice(0, 30));
  }
  expect(rowsFromOtel(text).report.nWithoutContent).toBe(48);
});

test("a fault is the error of its call, and a try that was lost is a conversation of its own", async () => {
  let n = 0;
  const { SimulateError } = await import("@while/simulate");
  const agent: Agent = async (_, { call }) => {
    await call("get_order", { order_id: "A1001" });
    if (n++ === 0) throw new SimulateError("infrastructure", "Gone.", "Wait.");
    return "Done.";
  };
  const { spans, rows, path } = await run(agent, { faultShare: 1, budget: 4, concurrency: 1 });
  expect(spans()).toHaveLength(5);
  const [lost] = spans();
  expect(lost!.at(-1)).toMatchObject({ status: { code: 2, message: "lost: infrastructure" } });
  const failed = spans()
    .flat()
    .filter(({ name, status }) => name.startsWith("execute_tool") && status?.code === 2);
  expect(failed.length).toBeGreaterThan(0);
  expect(failed[0]!.attributes.map(({ key }) => key)).toContain("whileai.fault");
  const back = await readRowFiles([path]);
  const landed = back.rows.filter(({ rollout_id }) => rows.some((row) => row.rollout_id === rollout_id));
  // What the lost try did is no part of the one that came after it.
  expect(landed.map((row) => stepsOf(row).filter(({ tool }) => tool !== undefined).length)).toEqual([1, 1, 1, 1]);
});

test("a run that goes on after a kill appends to its file, behind what was torn", async () => {
  const { path, spans } = spansFile();
  writeFileSync(path, '{"resourceSpans":[');
  const tracer = otlpFile(path);
  await simulate(() => "Yes.", { seeds: ["A", "B"], tracer });
  await tracer.close();
  expect(spans().map((trace) => trace.length)).toEqual([1, 1]);
});

test("a tracer that is none, and content without one, are refused", async () => {
  await expect(simulate(() => "Yes.", { seeds: ["A"], traceContent: true })).rejects.toThrow(
    "traceContent was given without a tracer.",
  );
  await expect(simulate(() => "Yes.", { seeds: ["A"], tracer: {} as never })).rejects.toThrow(
    "tracer has no startActiveSpan.",
  );
  expect(() => otlpFile("/dev/null/spans.jsonl")).toThrow("spans.jsonl cannot be written");
});
