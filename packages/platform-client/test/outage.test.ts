import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MersenneTwister } from "@while/stats";
import { afterEach, expect, test } from "vitest";
import { openClient } from "../src/files.ts";
import type { PlatformWarning } from "../src/index.ts";
import { type Arrived, type FakePlatform, fakePlatform, type Reply } from "./fake-platform.ts";

const open: FakePlatform[] = [];
afterEach(async () => {
  for (const platform of open.splice(0)) await platform.stop();
});

type Point = { step: number } & Record<string, number>;

/** A platform that counts every point as often as it takes it, but for calls it has answered before. */
async function countingPlatform(reply: (call: Arrived) => Reply | null = () => null) {
  const points: Point[] = [];
  const patches: Record<string, unknown>[] = [];
  const seen = new Set<string>();
  const platform = await fakePlatform((call) => {
    const key = call.headers["idempotency-key"] as string;
    const special = reply(call);
    if (special !== null && !special.lost) return special;
    if (!seen.has(key)) {
      seen.add(key);
      if (call.path.endsWith("/train")) points.push(...(call.body as Point[]));
      if (call.path.endsWith("/log")) points.push(...(call.body as { points: Point[] }).points);
      if (call.method === "PATCH") patches.push(call.body as Record<string, unknown>);
      if (call.path.endsWith("/finish")) patches.push(call.body as Record<string, unknown>);
    }
    const body = call.path.endsWith("/evals") ? { evals: call.body } : { id: "run_1", runId: "run_1", version: "v1" };
    return { body, ...special };
  });
  open.push(platform);
  return { platform, points, patches };
}

const home = () => mkdtempSync(join(tmpdir(), "while-outage-"));
const waiting = (dir: string) => {
  try {
    return readdirSync(join(dir, "spool")).length;
  } catch {
    return 0;
  }
};

function clientOf(apiUrl: string, dir: string, warnings: PlatformWarning[] = []) {
  return openClient({ apiUrl, apiKey: "k", home: dir, env: {}, out: null, warn: (warning) => warnings.push(warning) });
}

const steps = (points: readonly Point[]) => points.map(({ step }) => step).sort((a, b) => a - b);
const range = (n: number) => Array.from({ length: n }, (_, i) => i);

test("points of a stretch in which the platform was away arrive once each when it is back", async () => {
  const { platform, points } = await countingPlatform();
  const dir = home();
  const warnings: PlatformWarning[] = [];
  const run = await (await clientOf(platform.url, dir, warnings).track("bot")).run("v1");
  for (const step of range(100)) run.log(step, { loss: 1 });
  await run.flush();
  await platform.stop();
  for (const step of range(200).slice(100)) run.log(step, { loss: 1 });
  expect(await run.flush()).toBe(false);
  expect(run.unsent).toBeGreaterThan(0);
  expect(waiting(dir)).toBeGreaterThan(0);
  await platform.start();
  expect(await run.flush()).toBe(true);
  expect(steps(points)).toEqual(range(200));
  expect([run.unsent, waiting(dir)]).toEqual([0, 0]);
  expect(warnings.filter(({ code }) => code === "away")).toHaveLength(1);
});

test("answers lost on the way cost no point and double none", async () => {
  const random = new MersenneTwister(7);
  const { platform, points } = await countingPlatform(({ path }) =>
    path.endsWith("/train") && random.random() < 0.5 ? { lost: true } : null,
  );
  const run = await (await clientOf(platform.url, home()).track("bot")).run("v1");
  for (const step of range(1000)) run.log(step, { loss: step });
  while (!(await run.flush()));
  expect(steps(points)).toEqual(range(1000));
});

test("what a process left behind is delivered by the next one, in its order and once", async () => {
  const { platform, points, patches } = await countingPlatform();
  const dir = home();
  const run = await (await clientOf(platform.url, dir).track("bot")).run("v1");
  await platform.stop();
  for (const step of range(60)) run.log(step, { loss: 1 });
  expect(await run.finish("done", { summary: { train_loss: 0.5 } })).toBeNull();
  expect(waiting(dir)).toBe(4);
  // The process ends here: what it has under way is over, and nothing of it is asked again.
  await run.close(60_000);
  expect(waiting(dir)).toBe(4);
  await platform.start();
  const arrivedBefore = platform.arrived.length;
  expect(await clientOf(platform.url, dir).resend()).toMatchObject({ sent: 4, left: 0 });
  expect(waiting(dir)).toBe(0);
  expect(steps(points)).toEqual(range(60));
  expect(patches).toEqual([{ status: "done", steps: 59, summary: { train_loss: 0.5 } }]);
  expect(platform.arrived.slice(arrivedBefore).map(({ method }) => method)).toEqual(["POST", "POST", "POST", "PATCH"]);
});

test("a point that is refused is found and dropped, and the others arrive", async () => {
  const bad = 37;
  const { platform, points } = await countingPlatform(({ path, body }) =>
    path.endsWith("/train") && (body as Point[]).some(({ step }) => step === bad)
      ? { status: 422, body: { error: "That step.", code: "invalid_field" } }
      : null,
  );
  const warnings: PlatformWarning[] = [];
  const run = await (await clientOf(platform.url, home(), warnings).track("bot")).run("v1");
  for (const step of range(80)) run.log(step, { loss: 1 });
  expect(await run.flush()).toBe(true);
  expect(steps(points)).toEqual(range(80).filter((step) => step !== bad));
  expect(warnings.map(({ code }) => code)).toEqual(["refused"]);
});

test("nothing that a loop logs throws, whatever it is", async () => {
  const { platform, points } = await countingPlatform();
  const warnings: PlatformWarning[] = [];
  const run = await (await clientOf(platform.url, home(), warnings).track("bot")).run("v1");
  const log = run.log.bind(run) as (...args: unknown[]) => void;
  for (const args of [
    [],
    [null],
    ["1", {}],
    [Number.NaN, { loss: 1 }],
    [-1, { loss: 1 }],
    [1.5, {}],
    [1, null],
    [1, { loss: "x" }],
  ]) {
    expect(() => log(...args)).not.toThrow();
  }
  log(3, { loss: 2, lr: 0.0001, note: "ignored", nan: Number.NaN, flag: true, big: Number.POSITIVE_INFINITY });
  log({ step: 4, reward: 0.5 });
  await run.flush();
  expect(points).toEqual([
    { step: 3, loss: 2, lr: 0.0001 },
    { step: 4, reward: 0.5 },
  ]);
  expect(run.errors).toBe(6);
  expect(warnings.map(({ code }) => code)).toEqual(["bad_step"]);
});

test.each([
  [1000, 25, 40],
  [30, 25, 2],
  [3, 3, 1],
])("%i points at 25 or %i a call are %i calls", async (n, flushEvery, calls) => {
  const { platform } = await countingPlatform();
  const run = await clientOf(platform.url, home()).trainingRun("sft", { flushEvery });
  for (const step of range(n)) run.log(step, { loss: 1 });
  await run.flush();
  expect(platform.arrived.filter(({ path }) => path.endsWith("/log"))).toHaveLength(calls);
});

test("a call takes at most 500 points of a training run, and the bar's end goes with the next", async () => {
  const { platform, points } = await countingPlatform();
  const run = await clientOf(platform.url, home()).trainingRun("sft", { flushEvery: 5000 });
  run.progress(0, 1200);
  for (const step of range(1200)) run.log(step, { loss: 1 });
  await run.flush();
  const bodies = platform.arrived
    .filter(({ path }) => path.endsWith("/log"))
    .map(({ body }) => body as { points: Point[]; total_steps?: number });
  expect(bodies.map(({ points: some }) => some.length)).toEqual([500, 500, 200]);
  expect(bodies.map(({ total_steps }) => total_steps)).toEqual([1200, undefined, undefined]);
  expect(points[0]!.ts).toBeGreaterThan(1e9);
});

test("the end of a run that is away waits, says so, and a later end merges", async () => {
  const { platform, patches } = await countingPlatform();
  const run = await clientOf(platform.url, home()).trainingRun("sft");
  await platform.stop();
  run.log(1, { loss: 1 });
  expect(await run.finish("done", { summary: { train_loss: 1 } })).toEqual({
    runId: "run_1",
    status: "done",
    unsent: true,
  });
  await platform.start();
  await run.note({ comment: "ok" });
  expect(patches.map(({ summary }) => summary)).toEqual([{ train_loss: 1 }, { train_loss: 1, comment: "ok" }]);
});

test("a score waits behind the points before it, and is thrown back when the platform refuses it", async () => {
  let refuse = false;
  const { platform } = await countingPlatform(({ path }) =>
    refuse && path.endsWith("/evals") ? { status: 422, body: { error: "No.", code: "invalid_field" } } : null,
  );
  const run = await (await clientOf(platform.url, home()).track("bot")).run("v1");
  await platform.stop();
  run.log(1, { loss: 1 });
  expect(await run.score("refunds", 83, { ci: 2, n: 240 })).toBeNull();
  await platform.start();
  await run.flush();
  const paths = platform.arrived.slice(-2).map(({ path }) => path);
  expect(paths).toEqual(["/runs/run_1/train", "/runs/run_1/evals"]);
  refuse = true;
  await expect(run.score("refunds", 83, { ci: 2, n: 240 })).rejects.toMatchObject({ code: "invalid_field" });
});
