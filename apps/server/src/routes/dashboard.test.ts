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

  test("seeds of one version are pooled in the dashboard and in the list of scores, and replicate its claim", async () => {
    const { key: own } = await app.account();
    const at = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key: own });
    await at("POST", "/agents", { id: "s", name: "s" });
    await at("PUT", "/agents/s/behaviors/refunds", { n: 240, gradedBy: "program" });
    const post = async (version: string, seed: number | null, score: number) => {
      const record = seed === null ? undefined : { optimizer: { seed } };
      const { id } = (await at("POST", "/runs", { agent: "s", version, record })).body;
      await at("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score, ci: 2, n: 240 }]);
      app.pass(1000);
      return id;
    };
    await post("v1", null, 60);
    await at("POST", "/agents/s/promote", { version: "v1" });
    await post("v2", 1, 80);
    const bare = await post("v2", null, 82);
    const pooled = async () => [
      (await at("GET", "/agents/s/dashboard")).body.versions.map((one: { pooled?: unknown }) => one.pooled ?? null),
      (await at("GET", "/agents/s/scores")).body.behaviors[0].versions.map(
        (one: { pooled?: unknown }) => one.pooled ?? null,
      ),
    ];
    expect(await pooled()).toEqual([
      [null, null],
      [null, null],
    ]);
    await at("PATCH", `/runs/${bare}`, { record: { optimizer: { seed: 2 } } });
    const two = { seeds: 2, mean: 81, sd: 1.41 };
    expect(await pooled()).toEqual([
      [null, two],
      [null, two],
    ]);
    expect((await at("GET", "/agents/s/verdict")).body).toMatchObject({ kind: "beats", replicatedSeeds: [1] });
    expect((await at("GET", "/agents")).body.agents[0].verdict.text).toContain("replicated on seed 1");
    await at("PATCH", `/runs/${bare}`, { record: { optimizer: { seed: null } } });
    expect((await pooled())[0]).toEqual([null, null]);
    expect((await at("GET", "/agents")).body.agents[0].verdict.text).not.toContain("seed");
  });

  test("every behavior's newest scores come in one call, by time", async () => {
    const { body } = await call("GET", "/agents/refund-bot/scores");
    expect(body.behaviors).toEqual([
      {
        name: "refunds",
        versions: [
          expect.objectContaining({ v: "v3", score: 78, ci: 3.1, n: 240, testVersion: "t1" }),
          expect.objectContaining({ v: "v4", score: 83, at: expect.stringMatching(/^2.*Z$/) }),
        ],
      },
    ]);
  });

  test("a curve is thinned by the server, in the range and of the series that are asked for", async () => {
    const { id } = (await call("POST", "/runs", { agent: "refund-bot", version: "long" })).body;
    for (let from = 0; from < 12_000; from += 2000) {
      const points = Array.from({ length: 2000 }, (_, i) => ({
        step: from + i,
        loss: from + i === 5003 ? 99 : 1,
        a: i,
        b: -i,
      }));
      await call("POST", `/runs/${id}/train`, points);
    }
    const { body } = await call("GET", `/runs/${id}/curve?points=100`);
    expect(body).toMatchObject({ run: id, totalPoints: 12_000 });
    expect(body.steps.length).toBeLessThanOrEqual(100);
    expect(body.loss[body.steps.indexOf(5003)]).toBe(99);
    expect(Object.keys(body.series)).toEqual(["a", "b"]);
    const part = (await call("GET", `/runs/${id}/curve?from=4999&to=5003&series=b`)).body;
    expect([part.steps, part.loss, part.series]).toEqual([
      [4999, 5000, 5001, 5002, 5003],
      [1, 1, 1, 1, 99],
      { b: [-999, -1000, -1001, -1002, -1003] },
    ]);
    // The next point is in the next answer.
    await call("POST", `/runs/${id}/train`, [{ step: 12_000, loss: 7 }]);
    expect((await call("GET", `/runs/${id}/curve?points=100`)).body).toMatchObject({ totalPoints: 12_001 });
    expect((await call("GET", `/runs/${id}/curve?points=1`)).status).toBe(400);
    await call("DELETE", `/runs/${id}`);
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
    // Whose curve it is, without its points: those are another call.
    const quick = (await call("GET", "/agents/refund-bot/dashboard?train=0")).body;
    expect(quick).toEqual({
      ...body,
      train: {
        ...body.train,
        steps: [],
        reward: [],
        kl: [],
        loss: [],
        completionLength: [],
        clipRatio: [],
        series: {},
        totalPoints: 0,
      },
    });
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
