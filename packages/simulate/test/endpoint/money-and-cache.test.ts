import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EndpointAgentOptions,
  endpointAgent,
  endpointModel,
  formatSimulation,
  modelWriter,
  type SimulateOptions,
  simulate,
} from "@while/simulate";
import { completionCache } from "@while/simulate/files";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ModelServerOptions, startModelServer } from "./model-server.ts";

const TOOLS = [{ name: "get_order", description: "of A1001 to A1003", parameters: { order_id: { type: "string" } } }];
const PRICES = { input: 1, output: 4 };

async function server(options: ModelServerOptions = {}) {
  const own = await startModelServer(options);
  onTestFinished(() => own.close());
  return own;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "cache-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const run = (url: string, endpoint: EndpointAgentOptions = {}, options: SimulateOptions = {}) =>
  simulate(endpointAgent(url, { model: "test", ...endpoint }), { tools: TOOLS, budget: 40, repeats: 4, ...options });

describe("what a run costs", () => {
  test("is the sum over its calls, and null with the reason where no price is known", async () => {
    const { url } = await server();
    const { report } = await run(url, { prices: PRICES });
    const [use] = report.usage;
    expect(use!.calls).toBe(80);
    expect(report.costUsd).toBeCloseTo((use!.inputTokens + 4 * use!.outputTokens) / 1e6, 6);
    expect(formatSimulation(report)).toContain(`cost       ${report.costUsd} USD`);
    const free = await run(url);
    expect(free.report).toMatchObject({ costUsd: null, costReason: "no price is known for test" });
    expect(formatSimulation(free.report)).toContain("cost       not known: no price is known for test");
  });

  test.each([1, 8, 32])(
    "is never more than its limit, and every rollout is accounted for (%i at once)",
    async (concurrency) => {
      const { url } = await server({ latencyMs: [0, 4] });
      const endpoint = { prices: PRICES, maxTokens: 64 };
      const whole = (await run(url, endpoint)).report.costUsd!;
      const usdBudget = whole / 2;
      const { report, rows } = await run(url, endpoint, { usdBudget, concurrency });
      expect(report.stoppedBecause).toBe("cost_budget");
      expect(report.costUsd).toBeLessThanOrEqual(usdBudget);
      // It does not stop long before it has to: what a call could cost is some times what it costs.
      expect(report.costUsd).toBeGreaterThan(usdBudget * 0.6);
      expect(rows.length).toBeGreaterThan(5);
      // What was paid for and has no row are first halves: a second call that was not made.
      const paid = rows.reduce((sum, { usage }) => sum + (usage?.input_tokens as number), 0);
      expect(report.usage[0]!.calls - 2 * rows.length).toBeLessThanOrEqual(concurrency);
      expect(paid).toBeLessThanOrEqual(report.usage[0]!.inputTokens);
      expect(report.rolloutsCompleted + report.rolloutsLost + report.rolloutsAbandoned).toBe(40);
      expect(report.degraded).toContain("rollouts_abandoned");
    },
  );

  test("cannot be limited without a price", async () => {
    const { url } = await server();
    await expect(run(url, {}, { usdBudget: 1 })).rejects.toThrow("usdBudget is 1, and no price is known for test.");
    await expect(run(url, {}, { usdBudget: 0 })).rejects.toThrow("usdBudget is 0. Give an amount above 0.");
  });
});

describe("a cache of completions", () => {
  test("answers the same run again without a call, and says so on the rows and in the report", async () => {
    const { url, requests } = await server({ malformed: 0.2 });
    const cache = completionCache(folder());
    const first = await run(url, { cache, prices: PRICES });
    expect(first.report.endpoints[0]!.cache).toEqual({ hits: 0, misses: 80 });
    const nAsked = requests.length;
    const again = await run(url, { cache, prices: PRICES });
    expect(requests).toHaveLength(nAsked);
    expect(again.report).toMatchObject({ costUsd: 0, usage: [{ calls: 80, replayedCalls: 80, inputTokens: 0 }] });
    expect(again.report.degraded).toContain("completions_replayed");
    expect(again.rows[0]!.lineage).toMatchObject({ replayed_calls: 2 });
    const without = ({ lineage, ...row }: (typeof again.rows)[number]) => ({
      ...row,
      lineage: { ...lineage, replayed_calls: undefined },
    });
    expect(again.rows.map(without)).toEqual(first.rows.map(without));
  });

  test("keeps repeats apart: no two rollouts share an answer", async () => {
    let n = 0;
    const { url, requests } = await server({ reply: () => ({ text: `Answer ${n++}.` }) });
    const cache = completionCache(folder());
    const { rows } = await run(url, { cache }, { concurrency: 8 });
    expect(new Set(rows.map(({ final_text }) => final_text)).size).toBe(40);
    const again = await run(url, { cache }, { concurrency: 3 });
    expect(again.rows.map(({ final_text }) => final_text)).toEqual(rows.map(({ final_text }) => final_text));
    // Another run over the same tasks is other samples.
    await run(url, { cache }, { runs: 2 });
    expect(requests).toHaveLength(80);
  });

  test("tells two calls that say the same apart by their samples, also without a seed", async () => {
    const { url, requests } = await server();
    const model = endpointModel(url, { model: "test", cache: completionCache(folder()) });
    const ask = { messages: [{ role: "user" as const, content: "Hi" }] };
    for (const sample of ["a", "b", "a", "b", "a"]) await model({ ...ask, sample });
    expect(requests).toHaveLength(2);
    expect(model.report().cache).toEqual({ hits: 3, misses: 2 });
  });

  test("another temperature, prompt or model is another call", async () => {
    const { url, requests } = await server();
    const cache = completionCache(folder());
    const options = { budget: 2, repeats: 1 };
    await run(url, { cache }, options);
    await run(url, { cache, temperature: 0.1 }, options);
    await run(url, { cache, extra: { top_p: 0.5 } }, options);
    await run(url, { cache }, { ...options, systemPrompt: "Be brief.", dimensions: { rule: ["unspecified"] } });
    expect(requests).toHaveLength(16);
  });

  test("alone, for a run without a network, ends it at the first call that it has no answer to", async () => {
    const { url, close } = await server();
    const path = folder();
    const first = await run(url, { cache: completionCache(path) });
    await close();
    const cache = completionCache(path, { replayOnly: true });
    expect((await run(url, { cache })).rows.map(({ final_text }) => final_text)).toEqual(
      first.rows.map(({ final_text }) => final_text),
    );
    await expect(run(url, { cache }, { budget: 44 })).rejects.toMatchObject({ code: "endpoint_refused" });
  });

  test("keeps what the person and the writer say too", async () => {
    const { url, close } = await server({
      reply: ({ tools, messages }) => {
        if (messages[0]!.content!.includes("first messages"))
          return { text: '["Where is my order A1001?", "Cancel A1002."]' };
        if (tools === undefined) return { text: "A1002, the lamp." };
        return { text: messages.at(-1)!.content === "A1002, the lamp." ? "It has left." : "Which order?" };
      },
    });
    const path = folder();
    const once = (replayOnly: boolean) => {
      const cache = completionCache(path, { replayOnly });
      const other = endpointModel(url, { model: "other", cache });
      return run(
        url,
        { cache },
        { budget: 4, repeats: 2, userModel: other, writer: modelWriter(other, { fallback: false }) },
      );
    };
    const first = await once(false);
    await close();
    const again = await once(true);
    expect(again.rows.map(({ messages }) => messages)).toEqual(first.rows.map(({ messages }) => messages));
    expect(first.rows.some(({ steps }) => steps?.some(({ user }) => user !== undefined))).toBe(true);
    expect(again.report.endpoints.map(({ calls }) => calls)).toEqual([0, 0]);
    // A call that names no sample is told from no other one, and never answered by its answer.
    const alone = endpointModel(url, { model: "other", cache: completionCache(path, { replayOnly: true }) });
    await expect(alone({ messages: [{ role: "user", content: "Hi" }] })).rejects.toMatchObject({
      code: "endpoint_refused",
    });
  });

  test("takes no torn file for an answer, and none that is too old", async () => {
    const path = folder();
    const cache = completionCache(path);
    const answer = { text: "Yes.", inputTokens: 1 };
    await cache.set("ab12", answer);
    expect(await cache.get("ab12")).toEqual(answer);
    const [home] = readdirSync(path);
    const file = join(path, home!, readdirSync(join(path, home!))[0]!);
    const minute = completionCache(path, { maxAgeMs: 60_000 });
    expect(await minute.get("ab12")).toEqual(answer);
    expect(await completionCache(path, { maxAgeMs: 0 }).get("ab12")).toBeNull();
    const at = (ageMs: number): void => utimesSync(file, new Date(), new Date(Date.now() - ageMs));
    at(61_000);
    expect(await minute.get("ab12")).toBeNull();
    // A disk whose clock is ahead of ours: new, and still not young enough for an age of 0.
    at(-5000);
    expect(await minute.get("ab12")).toEqual(answer);
    expect(await completionCache(path, { maxAgeMs: 0 }).get("ab12")).toBeNull();
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 9));
    expect(await cache.get("ab12")).toBeNull();
    expect(await cache.get("ff00")).toBeNull();
  });
});
