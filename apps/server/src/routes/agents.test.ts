import { SCOPES } from "@while/platform-client/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";
import { makeKey } from "../queries/keys.ts";

describe.each(databases)("agents on $kind", ({ open }) => {
  let app: TestApp;
  let key: string;
  let accountId: string;
  beforeAll(async () => {
    app = await withApp(await open());
    ({ key, accountId } = await app.account());
  });
  afterAll(() => app.close());

  const call = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });

  test("track and the registry are one agent, found in any case, and absent fields stay", async () => {
    const frontier = { name: "Sonnet 5", score: 81, costPer1k: 18 };
    const harness = { label: "h2", tools: [], model: "Qwen/Qwen3-4B", hash: "bbbb57c3fa98" };
    const tracked = await call("POST", "/agents", {
      id: "Refund-Bot",
      name: "Refund bot",
      model: "Qwen/Qwen3-4B",
      harness,
      frontier,
    });
    expect(tracked.body).toMatchObject({
      id: "Refund-Bot",
      model: "Qwen/Qwen3-4B",
      harness,
      frontier,
      runs: 0,
      datasets: 0,
    });
    const registered = await call("POST", "/agents", {
      name: "refund bot",
      tools: [{ name: "lookup" }],
      system_prompt: "Be brief.",
    });
    expect(registered.body).toMatchObject({
      id: "Refund-Bot",
      name: "Refund bot",
      frontier,
      tools: [{ name: "lookup" }],
      system_prompt: "Be brief.",
    });
    expect((await call("GET", "/agents")).body.agents).toHaveLength(1);
  });

  test("a person who decides against the verdict says why; what it said is kept, and one step back is one call", async () => {
    const { accountId, key: own } = await app.account();
    const by = (auth: string) => (path: string, body?: unknown) => app.call("POST", path, body, { key: auth });
    const [program, person] = [
      by(own),
      by(
        (await makeKey(app.services, app.services.db, { accountId, kind: "session", name: "browser", scopes: SCOPES }))
          .key,
      ),
    ];
    await program("/agents", { id: "d", name: "d" });
    await app.call(
      "PUT",
      "/agents/d/behaviors/refunds",
      { n: 240, testVersion: "t", gradedBy: "program", noiseFloor: 1, contamination: 0, rewardIsJudge: false },
      { key: own },
    );
    for (const [version, score] of [
      ["v1", 60],
      ["v2", 61],
      ["v3", 75],
    ] as const) {
      await program("/runs", { agent: "d", version, id: `d-${version}`, targets: ["refunds"] });
      await program(`/runs/d-${version}/evals`, [{ behavior: "refunds", score, ci: 3, n: 240, testVersion: "t" }]);
      app.pass(10);
    }
    await program("/runs", { agent: "d", version: "v4", id: "d-v4" });
    // Nothing serves yet: there is nothing to decide against.
    expect(await person("/agents/d/promote", { version: "v1" })).toMatchObject({ status: 200 });
    expect(await person("/agents/d/promote", { version: "v2" })).toMatchObject({
      status: 422,
      body: { field: "reason", error: expect.stringContaining("about the same as") },
    });
    expect(await person("/agents/d/promote", { version: "v4", reason: "  " })).toMatchObject({ status: 422 });
    expect(await person("/agents/d/promote", { version: "v3" })).toMatchObject({
      status: 200,
      body: { previous: "v1" },
    });
    expect(await person("/agents/d/promote", { version: "v2", reason: "half the cost" })).toMatchObject({
      status: 200,
    });
    expect(await program("/agents/d/promote", { version: "v4" })).toMatchObject({ status: 200 });
    expect(await person("/agents/d/rollback")).toMatchObject({ status: 200, body: { serving: "v2", previous: "v4" } });
    const { promotions } = (await app.call("GET", "/agents/d/promotions", undefined, { key: own })).body;
    expect(promotions).toMatchObject([
      { version: "v2", previous: "v4", reason: "Back from v4.", verdict: null, by: "browser" },
      { version: "v4", previous: "v2", reason: null, verdict: null, by: "test" },
      {
        version: "v2",
        previous: "v3",
        reason: "half the cost",
        verdict: expect.stringContaining("refunds: v2 trails v3"),
      },
      { version: "v3", previous: "v1", reason: null, verdict: expect.stringContaining("refunds: v3 beats v1") },
      { version: "v1", previous: null },
    ]);
    expect(await person("/agents/nobody/rollback")).toMatchObject({ status: 404 });
    await program("/agents", { id: "fresh", name: "fresh" });
    expect(await person("/agents/fresh/rollback")).toMatchObject({ status: 400 });
  });

  test("promote wants a version that a run carries, and keeps who decided", async () => {
    await call("POST", "/agents", { id: "p", name: "p" });
    expect(await call("POST", "/agents/p/promote", { version: "v4" })).toMatchObject({
      status: 422,
      body: { field: "version" },
    });
    for (const version of ["v3", "v4"]) await call("POST", "/runs", { agent: "p", version });
    await call("POST", "/agents/p/promote", { version: "v3" });
    expect((await call("POST", "/agents/P/promote", { version: "v4", reason: "cheaper" })).body).toMatchObject({
      ok: true,
      serving: "v4",
      previous: "v3",
    });
    expect((await call("GET", "/agents/p/promotions")).body.promotions).toMatchObject([
      { version: "v4", previous: "v3", reason: "cheaper", by: "test" },
      { version: "v3", previous: null },
    ]);
  });

  test("behaviors merge: absent stays, null clears, the judge is replaced whole", async () => {
    await call("POST", "/agents", { id: "b", name: "b" });
    const put = (fields: unknown, name = "refunds") =>
      call("PUT", `/agents/b/behaviors/${encodeURIComponent(name)}`, fields);
    await put({ testVersion: "v2", n: 240, judge: { agreement: 0.86, humanN: 60, verified: false }, noiseFloor: 2.4 });
    expect((await put({ rubric: "passes when ..." })).body).toMatchObject({
      name: "refunds",
      testVersion: "v2",
      n: 240,
      noiseFloor: 2.4,
      rubric: "passes when ...",
    });
    expect((await put({ noiseFloor: null, judge: { name: "human" } })).body).toEqual({
      name: "refunds",
      testVersion: "v2",
      n: 240,
      judge: { name: "human" },
      rubric: "passes when ...",
    });
    await put({}, "tone");
    expect((await call("GET", "/agents/b/behaviors")).body.behaviors.map(({ name }: { name: string }) => name)).toEqual(
      ["refunds", "tone"],
    );
    expect(await put({}, "refund policy")).toMatchObject({ status: 422, body: { field: "name" } });
    expect(await call("PUT", "/agents/none/behaviors/x", {})).toMatchObject({ status: 404 });
  });

  test("an experiment is 404 until it is posted, and replaced by the next", async () => {
    await call("POST", "/agents", { id: "e", name: "e" });
    expect(await call("GET", "/agents/e/experiment")).toMatchObject({ status: 404 });
    await call("PUT", "/agents/e/experiment", { question: "Does it help?", notes: "n" });
    expect((await call("PUT", "/agents/e/experiment", { question: "Is it cheaper?" })).body).toMatchObject({
      question: "Is it cheaper?",
    });
    expect((await call("GET", "/agents/e/experiment")).body).not.toHaveProperty("notes");
    expect(await call("PUT", "/agents/e/experiment", { notes: "no question" })).toMatchObject({
      status: 422,
      body: { field: "question" },
    });
  });

  test("a figure drops what would load or act, and is refused past its size or with another run", async () => {
    await call("POST", "/agents", { id: "f", name: "f" });
    const put = (body: unknown, name = "reward-by-step") => call("PUT", `/agents/f/figures/${name}`, body);
    const figure = {
      data: [{ x: [1, 2], y: [0.1, 0.4] }],
      layout: { title: "Reward", template: { x: 1 }, images: [{}], annotations: [{ text: "kept" }] },
    };
    expect((await put({ figure, caption: "c" })).body).toMatchObject({
      name: "reward-by-step",
      figure: { layout: { title: "Reward", annotations: [{ text: "kept" }] } },
    });
    expect((await call("GET", "/agents/f/figures")).body.figures[0].figure.layout).not.toHaveProperty("images");
    expect(await put({ figure, run: "run_of_nobody" })).toMatchObject({ status: 422, body: { field: "run" } });
    expect(await put({ figure: { data: [{ type: "surface" }] } })).toMatchObject({ status: 422 });
    expect(await put({ figure: { data: [{ x: Array(60_000).fill(1.25) }] } })).toMatchObject({ status: 413 });
    expect(await put({ figure }, "Reward")).toMatchObject({ status: 422, body: { field: "name" } });
    expect(await call("DELETE", "/agents/f/figures/reward-by-step")).toMatchObject({ body: { deleted: true } });
    expect(await call("DELETE", "/agents/f/figures/reward-by-step")).toMatchObject({ status: 404 });
  });

  test("deleting an agent takes everything below it", async () => {
    await call("POST", "/agents", { id: "gone", name: "gone" });
    await call("PUT", "/agents/gone/behaviors/x", {});
    const { body } = await call("POST", "/runs", { agent: "gone", version: "v1" });
    await call("POST", `/runs/${body.id}/train`, [{ step: 1, loss: 2 }]);
    await call("POST", `/runs/${body.id}/evals`, [{ behavior: "x", score: 50 }]);
    expect(await call("DELETE", "/agents/GONE")).toMatchObject({ body: { ok: true, deleted: true } });
    expect(await call("GET", `/runs/${body.id}`)).toMatchObject({ status: 404 });
    expect(await call("DELETE", "/agents/gone")).toMatchObject({ status: 404 });
    expect(await app.services.db.selectFrom("run_points").selectAll().execute()).toEqual([]);
  });

  test("a purge counts when it is dry, wants the id again, and deletes the sets with their bytes", async () => {
    const made = await call("POST", "/datasets", { name: "s", agent: "Purge Me" });
    await app.call("PUT", made.body.uploadUrl, '{"a":1}\n');
    await call("POST", `/datasets/${made.body.datasetId}/finalize`);
    expect((await call("POST", "/agents/purge-me/purge", { confirm: "purge-me", dryRun: true })).body).toEqual({
      agent: "purge-me",
      traces: 0,
      datasets: 1,
      deleted: false,
    });
    expect(await call("POST", "/agents/purge-me/purge", { confirm: "other" })).toMatchObject({ status: 422 });
    expect((await call("POST", "/agents/purge-me/purge", { confirm: "Purge-Me" })).body).toMatchObject({
      datasets: 1,
      deleted: true,
    });
    expect(await call("GET", `/datasets/${made.body.datasetId}`)).toMatchObject({ status: 404 });
  });

  test("the list says what the verdict of each agent is, anew after whatever it rests on", async () => {
    await call("POST", "/agents", { id: "told", name: "told" });
    const told = async () =>
      (await call("GET", "/agents")).body.agents.find(({ id }: { id: string }) => id === "told").verdict;
    expect(await told()).toBe(null);
    const fields = { n: 240, testVersion: "t", gradedBy: "program", noiseFloor: 1, contamination: 0 };
    await call("PUT", "/agents/told/behaviors/refunds", fields);
    expect(await told()).toMatchObject({ kind: "no_score", behavior: "refunds", candidate: null });
    const score = (version: string, points: number, behavior = "refunds") =>
      call("POST", `/runs/told-${version}/evals`, [{ behavior, score: points, ci: 3, n: 240, testVersion: "t" }]);
    for (const version of ["v1", "v2"]) {
      await call("POST", "/runs", { agent: "told", version, id: `told-${version}`, targets: ["refunds"] });
    }
    await score("v1", 60);
    await call("POST", "/agents/told/promote", { version: "v1" });
    expect(await told()).toMatchObject({ kind: "serving_only" });
    await score("v2", 75);
    const { text } = (await call("GET", "/agents/told/verdict")).body;
    expect(await told()).toEqual({ kind: "beats", behavior: "refunds", candidate: "v2", unproven: false, text });
    await call("PUT", "/agents/told/behaviors/refunds", { n: 20 });
    expect(await told()).toMatchObject({ kind: "beats", unproven: true });
    await call("PATCH", "/runs/told-v2", { archived: true });
    expect(await told()).toMatchObject({ kind: "serving_only", candidate: null });
    await call("PATCH", "/runs/told-v2", { archived: false });
    await score("v2", 60, "tone");
    await call("PATCH", "/runs/told-v2", { targets: ["tone"] });
    expect(await told()).toMatchObject({ behavior: "tone", kind: "no_score" });
    await call("DELETE", "/runs/told-v2");
    expect(await told()).toMatchObject({ behavior: "refunds", kind: "serving_only" });
  });

  test("a list of agents of which nothing changed writes and reads no score", async () => {
    const { key: own, accountId: account } = await app.account();
    const at = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key: own });
    await at("POST", "/agents", { id: "quiet", name: "quiet" });
    await at("PUT", "/agents/quiet/behaviors/refunds", { n: 240 });
    await at("POST", "/runs", { agent: "quiet", version: "v1", id: "q1" });
    await at("POST", "/runs/q1/evals", [{ behavior: "refunds", score: 60 }]);
    const first = (await at("GET", "/agents")).body;
    // Taken away behind the platform's back: were it looked at again, the verdict would be another.
    await app.services.db.deleteFrom("behaviors").where("account_id", "=", account).execute();
    expect((await at("GET", "/agents")).body).toEqual(first);
    await at("POST", "/runs", { agent: "quiet", version: "v2" });
    expect((await at("GET", "/agents")).body.agents[0].verdict).toBe(null);
  });

  test("a key for one agent sees that one alone", async () => {
    await call("POST", "/agents", { id: "mine", name: "mine" });
    await call("POST", "/agents", { id: "other", name: "other" });
    const { key: narrow } = await makeKey(app.services, app.services.db, {
      accountId,
      kind: "key",
      name: "n",
      scopes: ["runs:write"],
      agents: ["mine"],
    });
    expect(
      (await app.call("GET", "/agents", undefined, { key: narrow })).body.agents.map(({ id }: { id: string }) => id),
    ).toEqual(["mine"]);
    expect(await app.call("PUT", "/agents/other/behaviors/x", {}, { key: narrow })).toMatchObject({ status: 404 });
    expect(await app.call("POST", "/runs", { agent: "other", version: "v" }, { key: narrow })).toMatchObject({
      status: 404,
    });
    expect(await app.call("POST", "/runs", { agent: "mine", version: "v" }, { key: narrow })).toMatchObject({
      status: 200,
    });
  });
});
