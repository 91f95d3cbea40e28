import { fingerprint, type Row } from "@while/schema";
import { expect, test } from "vitest";
import { type ClientOptions, PlatformClient } from "../client.ts";
import { PlatformError } from "../platform-error.ts";
import type { PlatformWarning } from "../transport/warning.ts";

type Reply = (method: string, path: string, body: unknown) => unknown;

/** A client whose calls are recorded, and answered with what was asked to be stored. */
function recording(reply: Reply = () => undefined, options: ClientOptions = {}) {
  const calls: [string, string, unknown][] = [];
  const warnings: PlatformWarning[] = [];
  const transport = async (method: string, path: string, body: unknown) => {
    calls.push([method, path, body ?? null]);
    const special = reply(method, path, body);
    if (special !== undefined) return special;
    if (method === "POST" && path === "/runs") return { id: "run_7f3a", version: "v4", status: "running" };
    return path.endsWith("/evals") ? { evals: body } : {};
  };
  const warn = (one: PlatformWarning) => warnings.push(one);
  const client = new PlatformClient({ apiUrl: "https://host", transport, env: {}, warn, out: null, ...options });
  return { calls, warnings, client };
}

const harness = { label: "h2", model: "Qwen/Qwen3-4B", tools: [] };
const hash = fingerprint(harness);

test("the calls of a run are, byte for byte, those of the Python client", async () => {
  const { calls, client } = recording();
  const frontier = { name: "Sonnet 5", score: 81, costPer1k: 18 };
  const tracked = await client.track("refund-bot", { model: "Qwen/Qwen3-4B", harness, frontier });
  await tracked.behavior("refunds", {
    testVersion: "v2",
    n: 240,
    judge: { agreement: 0.86, humanN: 60, lengthBias: 0.08, verified: false },
    noiseFloor: 2.4,
  });
  await tracked.behavior("refunds", { rubric: "passes when ..." });
  const run = await tracked.run("v4", {
    method: "GRPO",
    targets: ["refunds"],
    trainedOn: ["refunds-grpo"],
    flushEvery: 2,
  });
  run.log(0, { reward: 0.3, kl: 0 });
  run.log(10, { reward: 0.4, completion_length: 180 });
  await run.score("refunds", 83, {
    ci: 2.7,
    n: 240,
    testVersion: "v2",
    examples: [{ prompt: "p", reply: "r", ok: false, why: "w", tags: { difficulty: "hard" } }],
  });
  await run.rows("refunds", [{ prompt: "p", reply: "r", ok: true }]);
  await run.finish("evaluated", {
    hours: 2.1,
    gpu: "1xH100",
    costUsd: 31,
    summary: { train_loss: 0.9, loss_curve: [1] },
    record: { provenance: { adapter: "vol:/a" } },
  });
  await run.note("one line");
  await run.archive();
  await run.fail(new RangeError("boom"));
  await tracked.live("2026-09-17", { version: "v3", replies: 2400, flagged: 98, p50s: 0.6, costUsd: 1.7 });
  await tracked.promote("v4");
  await tracked.figure("reward-by-step", { data: [{ x: [1], y: [0.1] }] }, { caption: "c", run: "run_7f3a" });
  const pins = { harness: hash, model: "Qwen/Qwen3-4B" };
  expect(calls).toEqual([
    [
      "POST",
      "/agents",
      { id: "refund-bot", name: "refund-bot", model: "Qwen/Qwen3-4B", harness: { ...harness, hash }, frontier },
    ],
    [
      "PUT",
      "/agents/refund-bot/behaviors/refunds",
      {
        testVersion: "v2",
        n: 240,
        judge: { agreement: 0.86, humanN: 60, lengthBias: 0.08, verified: false },
        noiseFloor: 2.4,
      },
    ],
    ["PUT", "/agents/refund-bot/behaviors/refunds", { rubric: "passes when ..." }],
    [
      "POST",
      "/runs",
      {
        agent: "refund-bot",
        version: "v4",
        base: "Qwen/Qwen3-4B",
        method: "GRPO",
        targets: ["refunds"],
        trainedOn: ["refunds-grpo"],
        harness: "h2",
        record: { provenance: { pins } },
      },
    ],
    [
      "POST",
      "/runs/run_7f3a/train",
      [
        { step: 0, reward: 0.3, kl: 0 },
        { step: 10, reward: 0.4, completion_length: 180 },
      ],
    ],
    [
      "POST",
      "/runs/run_7f3a/evals",
      [
        {
          behavior: "refunds",
          score: 83,
          ci: 2.7,
          n: 240,
          testVersion: "v2",
          examples: [{ prompt: "p", reply: "r", ok: false, why: "w", tags: { difficulty: "hard" } }],
        },
      ],
    ],
    ["DELETE", "/runs/run_7f3a/evals/refunds/rows", null],
    [
      "POST",
      "/runs/run_7f3a/evals/refunds/rows",
      { rows: [{ prompt: "p", reply: "r", ok: true }], offset: 0, expected: 1 },
    ],
    [
      "PATCH",
      "/runs/run_7f3a",
      {
        status: "evaluated",
        record: { provenance: { adapter: "vol:/a" } },
        hours: 2.1,
        gpu: "1xH100",
        costUsd: 31,
        steps: 10,
        summary: { train_loss: 0.9 },
      },
    ],
    ["PATCH", "/runs/run_7f3a", { notes: "one line" }],
    ["PATCH", "/runs/run_7f3a", { archived: true }],
    ["PATCH", "/runs/run_7f3a", { status: "failed", error: "RangeError: boom" }],
    [
      "POST",
      "/live",
      [{ agent: "refund-bot", day: "2026-09-17", version: "v3", replies: 2400, flagged: 98, p50s: 0.6, costUsd: 1.7 }],
    ],
    ["POST", "/agents/refund-bot/promote", { version: "v4" }],
    [
      "PUT",
      "/agents/refund-bot/figures/reward-by-step",
      { figure: { data: [{ x: [1], y: [0.1] }], layout: {} }, caption: "c", run: "run_7f3a" },
    ],
  ]);
});

test("rows go up in calls of 500, each with its place and how many there will be", async () => {
  const { calls, client } = recording();
  const run = await (await client.track("bot")).run("v1");
  await run.rows(
    "b",
    Array.from({ length: 1100 }, () => ({ ok: true })),
  );
  const posts = calls.slice(-3).map(([, , body]) => body as { rows: unknown[]; offset: number; expected: number });
  expect(posts.map(({ rows, offset, expected }) => [rows.length, offset, expected])).toEqual([
    [500, 0, 1100],
    [500, 500, 1100],
    [100, 1000, 1100],
  ]);
});

test("a bare name sends no harness, so that the stored one stays; a label pins nothing; an object is described", async () => {
  const { calls, client } = recording();
  const bare = await client.track("Refund bot");
  await bare.run("v1");
  await bare.run("v1", { harness: "h3" });
  await client.track({ name: "Été", model: "m", instructions: "Be brief.", tools: ["a"] });
  const bodies = calls.map(([, , body]) => body);
  expect(bodies[0]).toEqual({ id: "Refund-bot", name: "Refund bot" });
  expect(bodies[1]).toEqual({ agent: "Refund-bot", version: "v1", targets: [], trainedOn: [] });
  expect(bodies[2]).toMatchObject({ harness: "h3" });
  expect(bodies[2]).not.toHaveProperty("record");
  const own = { model: "m", instructions: "Be brief.", tools: ["a"] };
  expect(bodies[3]).toMatchObject({
    id: "Ete",
    name: "Été",
    harness: { ...own, hash: fingerprint(own), label: `h-${fingerprint(own)}` },
  });
});

test("what is disclosed shapes the hash and is never sent", async () => {
  const { calls, client } = recording();
  const secret = { model: "m", disclosure: { kind: "prompted", note: "in-house" } };
  const tracked = await client.track("bot", { harness: secret, register: false });
  expect(calls).toEqual([]);
  await tracked.register();
  expect(JSON.stringify(calls)).not.toContain("in-house");
  expect(calls[0]![2]).toMatchObject({ harness: { hash: fingerprint(secret) } });
});

test("pins that are given stay", async () => {
  const { calls, client } = recording();
  const record = { data: { train: "d" }, provenance: { pins: { harness: "mine", trl: "1.0" }, commit: "c" } };
  await (await client.track("bot", { harness })).run("v1", { record });
  expect((calls.at(-1)![2] as { record: object }).record).toEqual({
    data: { train: "d" },
    provenance: { pins: { harness: "mine", model: "Qwen/Qwen3-4B", trl: "1.0" }, commit: "c" },
  });
  expect(record.provenance.pins).toEqual({ harness: "mine", trl: "1.0" });
});

test.each<[string, (tracked: Awaited<ReturnType<PlatformClient["track"]>>) => Promise<unknown>, string]>([
  ["a version that is too long", (tracked) => tracked.run("v".repeat(41)), "has 41 characters and may have 1 to 40"],
  [
    "a target that is no name",
    (tracked) => tracked.run("v1", { targets: ["refund policy"] }),
    "targets[0] is not 1 to 64",
  ],
  ["a behavior that is no name", (tracked) => tracked.behavior("refund policy"), "Rename it in tracked.behavior"],
  [
    "a rubric that is too long",
    (tracked) => tracked.behavior("b", { rubric: "x".repeat(4001) }),
    "rubric has 4001 characters",
  ],
  [
    "a day that is none",
    (tracked) => tracked.live("2026-02-30", { version: "v", replies: 1 }),
    "is not a calendar day",
  ],
  [
    "more flagged than replies",
    (tracked) => tracked.live("2026-02-03", { version: "v", replies: 1, flagged: 2 }),
    "flagged is more than there were replies",
  ],
  [
    "an experiment without a question",
    (tracked) => tracked.experiment({ hypothesis: "h" } as never),
    "question must be of type string",
  ],
  ["one re-run", (tracked) => tracked.noiseFloor("b", [[]]), "noiseFloor got 1 of the two or more"],
])("%s is refused before any call", async (_what, act, message) => {
  const { calls, client } = recording();
  const tracked = await client.track("bot", { register: false });
  await expect((async () => act(tracked))()).rejects.toThrow(message);
  expect(calls).toEqual([]);
});

const notFound = () => {
  throw new PlatformError("not_found", "GET answered 404.", "", { status: 404 });
};

test("no experiment is null; other failures are thrown", async () => {
  expect(
    await (await recording((method) => (method === "GET" ? notFound() : undefined)).client.track("bot")).experiment(),
  ).toBeNull();
});

test("a run is opened by its id without posting: where it stands, and what it scored", async () => {
  const row = {
    ...{ id: "run_1", agent: "Bot", version: "v4", status: "running", notes: "n", steps: 100 },
    train: [{ step: 3 }, { step: 9 }, { step: 6 }],
    evals: [{ behavior: "b", score: 83 }, { behavior: "c" }],
  };
  const { calls, client } = recording((method) => (method === "GET" ? row : undefined));
  const tracked = await client.track("bot", { register: false });
  const run = await tracked.open("run_1");
  expect([run.version, run.status, run.notes, run.step, run.totalSteps]).toEqual(["v4", "running", "n", 9, 100]);
  expect(run.scores).toEqual([{ behavior: "b", score: 83 }]);
  expect(calls).toEqual([["GET", "/runs/run_1", null]]);
  const other = await client.track("other", { register: false });
  await expect(other.open("run_1")).rejects.toThrow("The run run_1 is of the agent Bot, not of other.");
});

test("a run that is not there says where to look, and a version in place of an id names the ids", async () => {
  const runs = [{ id: "run_1", version: "v4", archived: true }];
  const { client } = recording((method, path) =>
    path.startsWith("/runs?") ? { runs } : method === "POST" ? undefined : notFound(),
  );
  const tracked = await client.track("bot");
  await expect(tracked.open("run_9")).rejects.toThrow("List them with tracked.runs({ archived: true }).");
  await expect(tracked.deleteRun("v4")).rejects.toThrow("v4 is a version and no run id. Its runs: run_1.");
  await expect(tracked.deleteRun("v9")).rejects.toThrow("answered 404");
});

test("archived runs are left out unless they are asked for", async () => {
  const runs = [
    { id: "r2", version: "v2" },
    { id: "r1", version: "v1", archived: true },
  ];
  const tracked = await recording((_, path) => (path.startsWith("/runs?") ? { runs } : undefined)).client.track("bot");
  expect((await tracked.runs()).map(({ id }) => id)).toEqual(["r2"]);
  expect(await tracked.runs({ archived: true })).toHaveLength(2);
});

test("a grader that the platform forgets is remembered, and a judge that is the reward is warned of", async () => {
  const { client, warnings } = recording((method, path) =>
    path.endsWith("/behaviors") && method === "GET" ? { behaviors: [{ name: "b" }] } : undefined,
  );
  const tracked = await client.track("bot");
  await tracked.behavior("b", { gradedBy: "program", rewardIsJudge: true });
  expect(await tracked.behaviors()).toEqual([{ name: "b", gradedBy: "program" }]);
  expect(warnings.map(({ code }) => code)).toEqual(["reward_is_judge"]);
});

test("a noise floor is measured from re-runs and declared", async () => {
  const { calls, client, warnings } = recording();
  const rerun = (passes: number): Row[] =>
    Array.from({ length: 40 }, (_, i) => ({ task_id: `${i}`, reward: i < passes ? 1 : 0 }));
  const tracked = await client.track("bot");
  const floor = await tracked.noiseFloor("b", [rerun(20), rerun(21), rerun(19)]);
  expect(floor).toMatchObject({ runs: 3, runStd: 0.025, t: 4.3, noiseFloor: 15.21 });
  expect(calls.at(-1)).toEqual(["PUT", "/agents/bot/behaviors/b", { noiseFloor: 15.21, noiseFloorAt: 50 }]);
  await tracked.noiseFloor("b", [rerun(20), rerun(21)]);
  expect(warnings.map(({ code }) => code)).toEqual(["few_reruns"]);
});

const stored = (id: string, version: string, score: number, hour: number) => ({
  ...{ id, version, archived: false, notes: "why", createdAt: `2026-09-20T0${hour}:00:00.000Z` },
  evals: [
    {
      behavior: "refunds",
      score,
      ci: 2,
      n: 200,
      createdAt: `2026-09-20T0${hour}:00:00.000Z`,
      examples: [{ ok: true }],
    },
  ],
});
const behavior = {
  ...{ name: "refunds", testVersion: "t1", n: 200, judge: { agreement: 0.9, humanN: 80, verified: true } },
  ...{ noiseFloor: 1, contamination: 0, rewardIsJudge: false, rubric: "r" },
};
const versions = [
  { v: "v1", score: 60, ci: 2, n: 200 },
  { v: "v2", score: 66, ci: 2, n: 200 },
];
const board: Reply = (method, path) => {
  if (path.includes("/dashboard")) return { agent: { id: "bot", name: "bot", serving: "v1" }, behavior, versions };
  if (path.endsWith("/behaviors")) return { behaviors: [behavior] };
  if (path.startsWith("/runs?")) return { runs: [stored("r2", "v2", 66, 2), stored("r1", "v1", 60, 1)] };
  if (path === "/runs" && method === "POST") return { id: "r2", version: "v2" };
  return undefined;
};

test("verdict, brief and evals are computed here, by the rules of the page, from three reads", async () => {
  const { calls, client } = recording(board);
  const tracked = await client.track("bot");
  const verdict = await tracked.verdict("refunds");
  expect(verdict.text).toBe(
    "refunds: v2 beats v1 by 6 ± 2.8 points, the interval excludes zero, clears the noise floor of 1; judge agreement 0.9 on 80, n=200",
  );
  expect(calls.slice(1).map(([, path]) => path)).toEqual([
    "/agents/bot/dashboard?behavior=refunds",
    "/agents/bot/behaviors",
    "/runs?agent=bot",
  ]);
  expect((await tracked.brief()).next).toMatchObject([{ say: "promote v2" }]);
  expect((await tracked.evals()).map(({ verdict: word }) => word)).toEqual(["good"]);
  await expect(tracked.verdict("refunds", { version: "v9" })).rejects.toThrow("No score of v9 on refunds.");
});

test("a dashboard of another server has its empty lists filled in", async () => {
  const bare: Reply = (_, path) => (path.includes("/dashboard") ? { agent: { id: "bot", name: "bot" } } : undefined);
  const dashboard = await (await recording(bare).client.track("bot")).dashboard();
  expect(dashboard).toMatchObject({
    behavior: null,
    versions: [],
    deltas: [],
    live: { days: [] },
    verdict: { kind: "no_score" },
  });
});

test("the end of a run tells the brief once it has a score, and only through `out`", async () => {
  const told: string[] = [];
  const { client } = recording(board, { out: (text) => told.push(text) });
  const tracked = await client.track("bot");
  const run = await tracked.run("v2");
  await run.finish();
  expect(told).toEqual([]);
  await run.score("refunds", 66, { ci: 2, n: 200 });
  await run.finish("evaluated", { say: false });
  expect(told).toEqual([]);
  await run.finish();
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("What happened\n  2 scored runs");
});

test("a brief that fails does not fail the end of a run", async () => {
  const { client, warnings } = recording((method) => (method === "GET" ? notFound() : undefined), { out: () => {} });
  const run = await (await client.track("bot")).run("v2");
  await run.score("refunds", 66, { ci: 2, n: 200 });
  await run.finish();
  expect(warnings.map(({ code }) => code)).toEqual(["brief"]);
});

test("an exception inside withRun ends the run as failed and is thrown on; otherwise it stays open", async () => {
  const { calls, client } = recording();
  const tracked = await client.track("bot");
  await expect(
    tracked.withRun("v1", {}, async (run) => {
      run.log(1, { loss: 1 });
      throw new RangeError("boom");
    }),
  ).rejects.toThrow("boom");
  expect(calls.slice(-2).map(([method, , body]) => [method, body])).toEqual([
    ["POST", [{ step: 1, loss: 1 }]],
    ["PATCH", { status: "failed", error: "RangeError: boom" }],
  ]);
  await tracked.withRun("v2", {}, async (run) => run.log(1, { loss: 1 }));
  expect(calls.at(-1)![1]).toBe("/runs/run_7f3a/train");
});

test("a run opened under an id that was there before says what is gone", async () => {
  const { client, warnings } = recording((_, path) =>
    path === "/runs" ? { id: "mine", version: "v1", overwrote: true } : undefined,
  );
  await (await client.track("bot")).run("v1", { id: "mine" });
  expect(warnings.map(({ code }) => code)).toEqual(["overwrote"]);
});

test("a dismissal is a patch of the run; a blank reason is refused before any call", async () => {
  const { calls, client } = recording();
  const run = await (await client.track("bot")).run("v2");
  await run.dismiss("hours_cost", "the GPU is ours");
  await client.dismiss(run.id, "silent", null);
  expect(calls.slice(-2)).toEqual([
    ["PATCH", `/runs/${run.id}`, { dismiss: { hours_cost: "the GPU is ours" } }],
    ["PATCH", `/runs/${run.id}`, { dismiss: { silent: null } }],
  ]);
  await expect(client.dismiss(run.id, "score", "  ")).rejects.toThrow("dismiss.score");
  await expect(run.dismiss("score", "")).rejects.toThrow("dismiss.score");
  expect(calls.at(-1)![2]).toEqual({ dismiss: { silent: null } });
});

test("an end says why, cut to what is stored, and that replies count something else than attempts", async () => {
  const record = { eval: { replies: 240, k: 4 } };
  const { calls, client, warnings } = recording((method) =>
    method === "PATCH"
      ? { id: "run_1", version: "v1", record, evals: [{ behavior: "a", score: 1, n: 240, createdAt: "" }] }
      : undefined,
  );
  const run = await (await client.track("bot")).run("v1");
  const summary = { hack_monitor: { stopped_at: 30 } };
  await run.finish("stopped", { summary, error: `the monitor stopped it: ${"x".repeat(500)}` });
  const body = calls.at(-1)![2] as { status: string; error: string; summary: object };
  expect(body).toMatchObject({ status: "stopped", summary });
  expect(body.error).toHaveLength(400);
  expect(warnings.map(({ code }) => code)).toContain("replies");
});

test("what the model is told of its tools is posted and pinned beside the fingerprint; a harness that is given has its own", async () => {
  const { calls, client } = recording();
  const bot = { name: "bot", model: "m", tools: [{ name: "lookup", description: "finds an order" }] };
  const tracked = await client.track(bot);
  await tracked.run("v1");
  const hex = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(calls[0]![2]).toMatchObject({ harness: { hash: hex, toolsHash: hex } });
  expect(calls[1]![2]).toMatchObject({ record: { provenance: { pins: { harness: hex, tools_hash: hex } } } });
  await tracked.run("v2", { harness: { model: "m", tools: ["lookup"] } });
  expect(calls[2]![2]).not.toHaveProperty("record.provenance.pins.tools_hash");
});
