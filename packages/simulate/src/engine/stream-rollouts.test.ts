import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import type { Agent } from "../agent/agent.ts";
import { simulate } from "./simulate.ts";
import { streamRollouts } from "./stream-rollouts.ts";

const echo: Agent = (message) => `You said: ${message}`;
const TOOLS = [{ name: "get_order", parameters: { order_id: { type: "string" } } }];

describe("streamRollouts", () => {
  test("gives the rows of simulate, as they land, and the report at the end", async () => {
    const options = { tools: TOOLS, budget: 30, repeats: 2 };
    const stream = streamRollouts(echo, options);
    const rows: Row[] = [];
    for await (const row of stream) rows.push(row);
    const data = await simulate(echo, options);
    const byId = (list: typeof rows) => [...list].sort((a, b) => (a.rollout_id! < b.rollout_id! ? -1 : 1));
    expect(byId(rows)).toEqual(byId(data.rows));
    expect(await stream.done).toEqual(data.report);
    expect(stream.progress()).toMatchObject({ rows: 30, cap: 30 });
  });

  test("waits for a reader: a run of 2,000 is not held in memory", async () => {
    let made = 0;
    const stream = streamRollouts(() => `reply ${made++}`, {
      seeds: Array.from({ length: 2000 }, (_, i) => `ask ${i}`),
      budget: 2000,
    });
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made).toBeLessThan(400);
    let n = 1;
    while (!(await reader.next()).done) n++;
    expect([n, made]).toEqual([2000, 2000]);
  });

  test("a reader that leaves ends the run", async () => {
    let made = 0;
    const stream = streamRollouts(() => `reply ${made++}`, {
      seeds: Array.from({ length: 2000 }, (_, i) => `ask ${i}`),
      budget: 2000,
    });
    for await (const _ of stream) break;
    expect((await stream.done).stoppedBecause).toBe("aborted");
    expect(made).toBeLessThan(400);
  });

  test("pauses between rollouts, and goes on", async () => {
    const stream = streamRollouts(echo, { seeds: ["A", "B", "C"], concurrency: 1 });
    stream.pause();
    const reading = (async () => {
      let n = 0;
      for await (const _ of stream) n++;
      return n;
    })();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(stream.progress()).toBeNull();
    stream.resume();
    expect(await reading).toBe(3);
  });

  test("what fails before the first row is thrown where the rows are read", async () => {
    const read = async () => {
      for await (const _ of streamRollouts(echo, {})) throw new Error("no row was to come");
    };
    await expect(read()).rejects.toThrow("nothing that tasks could be drawn from");
  });
});
