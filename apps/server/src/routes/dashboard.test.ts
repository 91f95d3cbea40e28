import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

describe.each(databases)("what a person decides by, on $kind", ({ open }) => {
  let app: TestApp;
  let key: string;
  const call = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });

  beforeAll(async () => {
    app = await withApp(await open());
    ({ key } = await app.account());
    await call("POST", "/agents", { id: "refund-bot", name: "Refund bot" });
    await call("PUT", "/agents/refund-bot/behaviors/refunds", {
      testVersion: "t1",
      n: 240,
      judge: { agreement: 0.86, humanN: 60, lengthBias: 0.08, verified: true },
      noiseFloor: 2.4,
      contamination: 0,
      rewardIsJudge: false,
    });
    for (const [version, score, ci] of [
      ["v3", 78, 3.1],
      ["v4", 83, 2.7],
    ]) {
      const { id } = (
        await call("POST", "/runs", { agent: "refund-bot", version, method: "GRPO", targets: ["refunds"] })
      ).body;
      await call("POST", `/runs/${id}/train`, [
        { step: 0, reward: 0.3, completion_length: 10 },
        { step: 10, reward: 0.4, extra: 2 },
      ]);
      await call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score, ci, n: 240, testVersion: "t1" }]);
      app.pass(1000);
    }
    await call("POST", "/agents/refund-bot/promote", { version: "v3" });
  });
  afterAll(() => app.close());

  test("the verdict is that of the rules over what is stored", async () => {
    expect((await call("GET", "/agents/refund-bot/verdict?behavior=refunds")).body).toMatchObject({
      kind: "beats",
      candidate: "v4",
      serving: "v3",
      delta: 5,
      excludesZero: true,
      gaps: [],
      rests: ["judge agreement 0.86 on 60", "n=240"],
    });
    expect((await call("GET", "/agents/refund-bot/verdict?version=v3")).body.kind).toBe("same_version");
    expect(await call("GET", "/agents/refund-bot/verdict?version=v9")).toMatchObject({ status: 404 });
    expect(await call("GET", "/agents/refund-bot/verdict?behavior=nothing")).toMatchObject({ status: 404 });
  });

  test("the dashboard holds the page: versions by time, the candidate's curve, deltas and the same verdict", async () => {
    const { body } = await call("GET", "/agents/REFUND-bot/dashboard");
    expect(body).toMatchObject({
      agent: { id: "refund-bot", serving: "v3", candidate: "v4" },
      behavior: { name: "refunds" },
      versions: [
        { v: "v3", score: 78 },
        { v: "v4", score: 83 },
      ],
      train: { steps: [0, 10], reward: [0.3, 0.4], completionLength: [10, null], series: { extra: [null, 2] } },
      deltas: [{ name: "refunds", candidate: 83, serving: 78, delta: 5, target: true }],
    });
    expect(body.verdict).toEqual((await call("GET", "/agents/refund-bot/verdict")).body);
  });

  test("the brief and the eight checks speak of the same records", async () => {
    const { body } = await call("GET", "/agents/refund-bot/brief");
    expect(body).toMatchObject({
      agent: "Refund bot",
      url: "http://platform.test/platform/runs?agent=refund-bot",
      scored: 2,
    });
    expect((await call("GET", "/agents/refund-bot/evals")).body.evals).toMatchObject([
      { name: "refunds", good: 8, total: 8, verdict: "good" },
    ]);
  });

  test("an agent of which nothing is known yet has a page too", async () => {
    await call("POST", "/agents", { id: "fresh", name: "fresh" });
    expect((await call("GET", "/agents/fresh/dashboard")).body).toMatchObject({
      behavior: null,
      versions: [],
      train: null,
      live: { days: [] },
    });
    expect((await call("GET", "/agents/fresh/brief")).body).toMatchObject({ scored: 0 });
    expect((await call("GET", "/agents/fresh/evals")).body).toEqual({ evals: [] });
  });
});
