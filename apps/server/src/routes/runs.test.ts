import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

describe.each(databases)("runs on $kind", ({ open }) => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await withApp(await open());
    ({ key } = await app.account());
    await call("POST", "/agents", { id: "refund-bot", name: "refund-bot" });
  });
  afterAll(() => app.close());

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.call(method, path, body, { key, headers });
  const begin = async (more: Record<string, unknown> = {}) =>
    (await call("POST", "/runs", { agent: "refund-bot", version: "v4", ...more })).body.id as string;

  test("a finish that sends empty pins keeps those of the opening", async () => {
    const id = await begin({
      base: "Qwen/Qwen3-4B",
      method: "GRPO",
      targets: ["refunds"],
      trainedOn: ["refunds-grpo"],
      harness: "h2",
      record: { provenance: { pins: { harness: "bbbb57c3fa98", model: "Qwen/Qwen3-4B" } } },
    });
    expect(id).toMatch(/^run_[a-z2-7]{10}$/);
    const { body } = await call("PATCH", `/runs/${id}`, {
      status: "evaluated",
      record: { provenance: { pins: {}, adapter: "vol:/a" } },
      hours: 2.1,
      gpu: "1xH100",
      costUsd: 31,
      steps: 10,
      summary: { train_loss: 0.9 },
    });
    expect(body).toMatchObject({
      status: "evaluated",
      hours: 2.1,
      costUsd: 31,
      steps: 10,
      summary: { train_loss: 0.9 },
      record: { provenance: { pins: { harness: "bbbb57c3fa98", model: "Qwen/Qwen3-4B" }, adapter: "vol:/a" } },
    });
  });

  test("points of a step merge, so that a batch sent twice changes nothing", async () => {
    const id = await begin();
    const batch = [
      { step: 0, reward: 0.3, kl: 0 },
      { step: 10, reward: 0.4, completion_length: 180 },
    ];
    expect((await call("POST", `/runs/${id}/train`, batch)).body).toMatchObject({ points: 2, stored: 2, replaced: 0 });
    expect((await call("POST", `/runs/${id}/train`, batch)).body).toMatchObject({ points: 2, stored: 0, replaced: 2 });
    await call("POST", `/runs/${id}/train`, '[{"step":10,"reward":0.5,"loss":NaN,"note":"x"}]');
    expect((await call("GET", `/runs/${id}`)).body.train).toEqual([
      batch[0],
      { step: 10, reward: 0.5, completion_length: 180 },
    ]);
  });

  test("2,000 points come in one call and 2,001 are refused", async () => {
    const id = await begin();
    const points = Array.from({ length: 2001 }, (_, step) => ({ step, loss: step === 777 ? 1e6 : 1 / (step + 1) }));
    expect(await call("POST", `/runs/${id}/train`, points)).toMatchObject({ status: 413 });
    expect(await call("POST", `/runs/${id}/train`, points.slice(1))).toMatchObject({
      status: 200,
      body: { stored: 2000 },
    });
    const thin = (await call("GET", `/runs/${id}?max_points=100`)).body.train as { step: number }[];
    expect(thin.length).toBeLessThanOrEqual(100);
    expect(thin.some(({ step }) => step === 777)).toBe(true);
    expect((await call("GET", `/runs/${id}?from=10&to=12`)).body.train).toHaveLength(3);
  });

  test("an id that is known opens the run anew, without what hung off it, unless asked not to", async () => {
    const id = await begin({ id: "nightly" });
    await call("POST", `/runs/${id}/train`, [{ step: 1, loss: 1 }]);
    await call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score: 70 }]);
    expect(
      await call("POST", "/runs", { agent: "refund-bot", version: "v5", id }, { "if-none-match": "*" }),
    ).toMatchObject({ status: 412 });
    expect((await call("POST", "/runs", { agent: "refund-bot", version: "v5", id })).body).toMatchObject({
      id,
      version: "v5",
      overwrote: true,
    });
    expect((await call("GET", `/runs/${id}`)).body).toMatchObject({ version: "v5", train: [], evals: [] });
  });

  test("two accounts may call a run the same and never meet", async () => {
    await begin({ id: "same" });
    const { key: other } = await app.account();
    expect(await app.call("GET", "/runs/same", undefined, { key: other })).toMatchObject({ status: 404 });
    await app.call("POST", "/agents", { id: "refund-bot", name: "x" }, { key: other });
    expect(
      await app.call("POST", "/runs", { agent: "refund-bot", version: "theirs", id: "same" }, { key: other }),
    ).toMatchObject({ status: 200, body: { version: "theirs" } });
    expect((await call("GET", "/runs/same")).body.version).toBe("v4");
  });

  test("version and agent stay for good, and a read that is old does not overwrite", async () => {
    const id = await begin();
    expect(await call("PATCH", `/runs/${id}`, { version: "v9" })).toMatchObject({
      status: 422,
      body: { field: "version" },
    });
    expect(await call("PATCH", `/runs/${id}`, { notes: "new" }, { "if-match": '"7"' })).toMatchObject({ status: 412 });
    expect((await call("PATCH", `/runs/${id}`, { notes: "x".repeat(8193) })).status).toBe(422);
    expect((await call("PATCH", `/runs/${id}`, { archived: true })).body).toMatchObject({
      archived: true,
      notes: null,
    });
  });

  test("one score counts for each behavior and test, and an undeclared behavior is declared bare", async () => {
    const id = await begin();
    const post = (scores: unknown) => call("POST", `/runs/${id}/evals`, scores);
    const examples = [{ ok: false, prompt: "p".repeat(3000), reply: "r", why: "w", tags: { difficulty: "hard" } }];
    const first = await post([{ behavior: "fresh_one", score: 83, ci: 2.7, n: 240, testVersion: "v2", examples }]);
    expect(first.body.evals).toMatchObject([{ behavior: "fresh_one", score: 83, ci: 2.7, n: 240, version: "v4" }]);
    expect(Array.from(first.body.evals[0].examples[0].prompt)).toHaveLength(1200);
    await post([
      { behavior: "fresh_one", score: 84, testVersion: "v2" },
      { behavior: "fresh_one", score: 60, testVersion: "v3" },
    ]);
    const { evals } = (await call("GET", `/runs/${id}`)).body;
    expect(evals.map(({ score, testVersion }: { score: number; testVersion: string }) => [testVersion, score])).toEqual(
      [
        ["v2", 84],
        ["v3", 60],
      ],
    );
    const behaviors = (await call("GET", "/agents/refund-bot/behaviors")).body.behaviors as { name: string }[];
    expect(behaviors.some(({ name }) => name === "fresh_one")).toBe(true);
    const listed = (await call("GET", "/runs?agent=Refund-Bot")).body.runs.find((run: { id: string }) => run.id === id);
    expect(listed.evals).toHaveLength(2);
    expect(await post([{ behavior: "two words", score: 1 }])).toMatchObject({
      status: 422,
      body: { field: "[0].behavior" },
    });
    expect(await post('[{"behavior":"x","score":1e999}]')).toMatchObject({ status: 422 });
  });

  test("in lists a sample row says ok and nothing else", async () => {
    const id = await begin();
    await call("POST", `/runs/${id}/evals`, [
      { behavior: "sampled", score: 50, examples: [{ ok: true, reply: "secret" }, { ok: false }] },
    ]);
    const run = (await call("GET", "/runs?agent=refund-bot")).body.runs.find((one: { id: string }) => one.id === id);
    expect(run.evals[0].examples).toEqual([{ ok: true }, { ok: false }]);
  });

  test("a training run of any trainer: opened, logged, finished twice, late points taken", async () => {
    const opened = await call("POST", "/runs", {
      name: "tiny sft",
      base_model: "Qwen/Qwen3-4B",
      total_steps: 30,
      config: { lr: 1e-4 },
    });
    expect(opened.body).toMatchObject({ status: "running", agent: null, name: "tiny sft", totalSteps: 30 });
    const id = opened.body.runId as string;
    const log = (points: unknown, more = {}) => call("POST", `/runs/${id}/log`, { points, ...more });
    expect((await log([{ step: 1, ts: 10.5, loss: 2 }])).body).toMatchObject({ runId: id, logged: 1 });
    await log(
      [
        { step: 1, ts: 10.5, loss: 2 },
        { step: 2, ts: 11, loss: 1.9 },
      ],
      { total_steps: 40 },
    );
    await call("POST", `/runs/${id}/finish`, { status: "done", summary: { train_loss: 1.9, delta: null } });
    await call("POST", `/runs/${id}/finish`, { status: "failed", summary: { gpu: "L4" }, error: "late" });
    await log([{ step: 3, ts: 12, loss: 1.8 }]);
    // A point that comes late does not take it back.
    await log([{ step: 2, ts: 13, lr: 1 }]);
    expect((await call("GET", `/runs/${id}`)).body).toMatchObject({
      status: "failed",
      steps: 3,
      totalSteps: 40,
      error: "late",
      summary: { train_loss: 1.9, delta: null, gpu: "L4" },
      series: [
        { step: 1, ts: 10.5, loss: 2 },
        { step: 2, ts: 11, loss: 1.9 },
        { step: 2, ts: 13, lr: 1 },
        { step: 3, ts: 12, loss: 1.8 },
      ],
    });
    expect((await call("GET", "/runs")).body.runs.map(({ name }: { name: string }) => name)).toEqual(["tiny sft"]);
    expect(await log(Array.from({ length: 501 }, (_, step) => ({ step })))).toMatchObject({ status: 413 });
  });

  test("events go on where a watcher left off", async () => {
    const id = await begin();
    await call("POST", `/runs/${id}/train`, [{ step: 1, loss: 1, alarm_length: 1 }]);
    const read = async (after: number, enough: (text: string) => boolean) => {
      const response = await app.app.request(`/runs/${id}/events`, {
        headers: { "x-api-key": key, "last-event-id": String(after) },
      });
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!enough(text)) text += (await reader.read()).value ?? "";
      await reader.cancel();
      return text;
    };
    const first = await read(0, (text) => text.includes("event: status"));
    expect(first).toContain('event: point\nid: 2\ndata: {"step":1,"loss":1,"alarm_length":1}');
    expect(first).toContain('event: alarm\nid: 2\ndata: {"step":1,"kind":"length"}');
    const next = read(2, (text) => text.includes("event: score"));
    await call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score: 71 }]);
    const text = await next;
    expect(text).not.toContain("event: point");
    expect(text).toContain('"score":71');
  });

  test("a page that has the curve hears of the status and of what is new", async () => {
    const id = await begin();
    await call("POST", `/runs/${id}/train`, [{ step: 1, loss: 1 }]);
    const response = await app.app.request(`/runs/${id}/events?after=now`, { headers: { "x-api-key": key } });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: status")) text += (await reader.read()).value ?? "";
    await call("POST", `/runs/${id}/train`, [{ step: 2, loss: 0.5 }]);
    while (!text.includes("event: point")) text += (await reader.read()).value ?? "";
    await reader.cancel();
    expect(text).not.toContain('"step":1');
    expect(text).toContain('data: {"step":2,"loss":0.5}');
  });

  test("runs are filtered, ordered and counted by the server", async () => {
    await call("POST", "/agents", { id: "many", name: "many" });
    await call("PUT", "/agents/many/behaviors/tone", {});
    for (let i = 0; i < 9; i += 1) {
      const id = `many-${i}`;
      await call("POST", "/runs", { agent: "many", version: `v${i}`, id, method: i % 2 ? "GRPO" : "eval" });
      if (i < 6) await call("POST", `/runs/${id}/evals`, [{ behavior: "tone", score: (i * 7) % 10, n: 100 - i }]);
      await call("PATCH", `/runs/${id}`, {
        status: i % 3 ? "evaluated" : "failed",
        ...(i === 4 ? { notes: "Batch 50%_off doubled" } : {}),
        ...(i < 3 ? { hours: i } : {}),
      });
      app.pass(5);
    }
    const list = async (query: string) => (await call("GET", `/runs?agent=many&${query}`)).body;
    const ids = ({ runs }: { runs: { id: string }[] }) => runs.map(({ id }) => Number(id.slice(5)));
    // Scores of 0 to 5 are 0, 7, 4, 1, 8 and 5; the last three have none.
    expect(ids(await list("sort=score&behavior=tone"))).toEqual([4, 1, 5, 2, 3, 0, 8, 7, 6]);
    expect(ids(await list("sort=score&behavior=tone&order=asc"))).toEqual([0, 3, 2, 5, 1, 4, 8, 7, 6]);
    expect(ids(await list("sort=hours&order=asc")).slice(0, 3)).toEqual([0, 1, 2]);
    expect(ids(await list("sort=created&order=asc"))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(ids(await list("status=failed"))).toEqual([6, 3, 0]);
    expect(ids(await list("method=GRPO&method=nothing"))).toEqual([7, 5, 3, 1]);
    expect(ids(await list("q=batch%2050%25_"))).toEqual([4]);
    expect(ids(await list("q=grpo%20v3"))).toEqual([3]);
    expect(ids(await list("ids=many-1&ids=many-7&ids=stranger"))).toEqual([7, 1]);
    const seen: number[] = [];
    let cursor = "";
    do {
      const page = await list(`sort=score&behavior=tone&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(page.total).toBe(9);
      seen.push(...ids(page));
      cursor = page.nextCursor ?? "";
    } while (cursor !== "");
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await call("GET", "/runs?agent=many&sort=score")).toMatchObject({
      status: 422,
      body: { field: "behavior" },
    });
    expect(await call("GET", "/runs?agent=many&sort=score&behavior=tone&cursor=x")).toMatchObject({ status: 400 });
  });

  test("days of traffic replace themselves; more complaints than replies are refused", async () => {
    const live = (days: unknown) => call("POST", "/live", days);
    const day = {
      agent: "refund-bot",
      day: "2026-09-17",
      version: "v3",
      replies: 2400,
      flagged: 98,
      p50s: 0.6,
      costUsd: 1.7,
    };
    expect((await live([day])).body).toEqual({ days: 1 });
    await live([{ ...day, flagged: 24 }]);
    expect((await call("GET", "/agents/refund-bot/dashboard")).body.live).toMatchObject({
      days: ["2026-09-17"],
      flaggedPct: [1],
      replies7d: 2400,
    });
    expect(await live([{ ...day, flagged: 2401 }])).toMatchObject({ status: 422, body: { field: "[0].flagged" } });
    expect(await live([{ ...day, day: "2026-02-30" }])).toMatchObject({ status: 422 });
  });

  test("a run that is opened anew is in the audit log as it was, with its scores", async () => {
    const id = await begin({ id: "again", record: { optimizer: { lr: 1 } } });
    await call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score: 61, ci: 2 }]);
    await call("POST", "/runs", { agent: "refund-bot", version: "v5", id });
    const { entries } = (await call("GET", "/audit?limit=5")).body;
    const entry = entries.find(({ action }: { action: string }) => action === "overwriteRun");
    expect(entry.resource).toBe("/runs/again");
    expect(JSON.parse(entry.before)).toMatchObject({
      id,
      version: "v4",
      record: { optimizer: { lr: 1 } },
      evals: [{ behavior: "refunds", score: 61, ci: 2 }],
    });
  });

  test("what a run is asked for is dismissed with a reason, told with who and when, and asked again", async () => {
    const id = await begin();
    const patch = (body: unknown) => call("PATCH", `/runs/${id}`, body);
    const { body } = await patch({ dismiss: { hours_cost: " the GPU is ours ", silent: "a re-run" } });
    const told = { by: "test", at: expect.stringMatching(/Z$/) };
    expect(body.dismissed).toEqual({
      hours_cost: { reason: "the GPU is ours", ...told },
      silent: { reason: "a re-run", ...told },
    });
    expect((await call("GET", "/runs?agent=refund-bot")).body.runs[0].dismissed).toEqual(body.dismissed);
    expect((await call("GET", "/agents/refund-bot/brief")).body.dismissed).toMatchObject([
      { key: "silent", run: id, reason: "a re-run" },
    ]);
    expect((await patch({ dismiss: { silent: null } })).body.dismissed).toEqual({
      hours_cost: { reason: "the GPU is ours", ...told },
    });
    expect((await patch({ notes: "n" })).body.dismissed).toHaveProperty("hours_cost");
    expect((await patch({ dismiss: { hours_cost: null } })).body.dismissed).toBe(null);
    for (const dismiss of [{ hours_cost: "" }, { hours_cost: "  " }, { record: "x".repeat(401) }, { rubric: "no" }]) {
      expect(await patch({ dismiss }), JSON.stringify(dismiss)).toMatchObject({ status: 422 });
    }
    await patch({ dismiss: { score: "a trial" } });
    await call("POST", "/runs", { agent: "refund-bot", version: "v4", id });
    expect((await call("GET", `/runs/${id}`)).body.dismissed).toBe(null);
  });
});
