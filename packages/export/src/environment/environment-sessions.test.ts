import { beforeEach, expect, test } from "vitest";
import type { Task } from "../tasks/task.ts";
import { EnvironmentSessions, type SessionsOptions } from "./environment-sessions.ts";

const task = (id: string, more: Partial<Task["info"]> = {}): Task => ({
  prompt: `Refund ${id}.`,
  example_id: id,
  info: {
    ...{ task_id: id, scenario_id: `sc-${id}`, seed: null, world_state: { paid: 0 }, faults: null, split: "train" },
    privileged: { answer: "secret" },
    ...more,
  },
});

const SPEC: SessionsOptions["spec"] = {
  name: "desk",
  runtime: "http",
  system_prompt: "Be brief.",
  tools: [{ name: "refund", description: "", parameters: { type: "object" } }],
  max_turns: 3,
  reward: "./w.mjs#reward",
  execute: "./w.mjs#execute",
  world: { shop: "open" },
};

let time = 0;
beforeEach(() => {
  time = 0;
});

const sessions = (more: Partial<SessionsOptions> = {}) =>
  new EnvironmentSessions({
    spec: SPEC,
    train: [task("a"), task("b")],
    holdout: [task("h", { split: "holdout" })],
    execute: (_name, { amount }, { state }) => {
      if (typeof amount !== "number") throw new TypeError("amount is missing");
      state.paid = (state.paid as number) + amount;
      return { paid: state.paid };
    },
    grade: ({ state, info }) => ((state.paid as number) > 0 && info.privileged?.answer === "secret" ? 1 : 0),
    now: () => time,
    ...more,
  });

test("an episode begins with the rules, the ask and the tools, and shows nothing that only a grader may see", () => {
  const episode = sessions().reset({ split: "train" });
  expect(episode.messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Refund a." },
  ]);
  expect(Object.keys(episode.task)).toEqual(["id", "prompt", "split", "index", "calibration"]);
  expect(JSON.stringify(episode)).not.toContain("secret");
});

test("reset takes a task by its id, by its place, or the next one", () => {
  const world = sessions();
  expect(world.reset({ task_id: "h" }).task).toMatchObject({ id: "h", split: "test", index: 0 });
  expect(world.reset({ split: "train", index: 1 }).task.id).toBe("b");
  expect([1, 2, 3].map(() => world.reset().task.id)).toEqual(["a", "b", "a"]);
  for (const asked of [{ task_id: "none" }, { split: "test", index: 4 }]) {
    expect(() => world.reset(asked)).toThrow(expect.objectContaining({ code: "not_found" }));
  }
});

test("two rollouts of a task begin in the same world and do not see each other's", async () => {
  const world = sessions();
  const [one, two] = [world.reset({ task_id: "a" }), world.reset({ task_id: "a" })];
  expect(one.session).not.toBe(two.session);
  expect((await world.step(one.session, "refund", { amount: 5 })).result).toEqual({ paid: 5 });
  expect((await world.step(two.session, "refund", { amount: 7 })).result).toEqual({ paid: 7 });
});

test.each([
  [{ paid: 3 }, { shop: "open", paid: 3 }],
  ['{"paid": 3}', { shop: "open", paid: 3 }],
  ["The till is empty.", { shop: "open", world_state: "The till is empty." }],
  [null, { shop: "open" }],
])("a world begins with the task's own state: %j", async (world_state, state) => {
  const seen: unknown[] = [];
  const world = sessions({
    train: [task("a", { world_state })],
    execute: (_name, _given, context) => void seen.push({ ...context.state }),
  });
  await world.step(world.reset().session, "refund", {});
  expect(seen).toEqual([state]);
});

test("what a tool refuses is told to the agent", async () => {
  const world = sessions();
  const { session } = world.reset();
  expect((await world.step(session, "refund", {})).result).toEqual({ error: "amount is missing" });
  expect((await world.step(session, "pay", {})).result).toEqual({ error: "There is no tool pay. There are refund." });
});

test("submit ends an episode with its reward", async () => {
  const world = sessions();
  const { session } = world.reset();
  await world.step(session, "refund", { amount: 5 });
  expect(await world.step(session, "submit", { answer: "Done." })).toMatchObject({ done: true, reward: 1 });
  await expect(world.step(session, "refund", { amount: 1 })).rejects.toThrow(/is over/);
});

test("the turn cap ends it with 0, also where the work was done", async () => {
  const world = sessions();
  const { session } = world.reset();
  for (const _ of [1, 2]) expect(await world.step(session, "refund", { amount: 5 })).toMatchObject({ done: false });
  expect(await world.step(session, "refund", { amount: 5 })).toMatchObject({ done: true, reward: 0 });
  expect((await world.score(session, [])).metrics).toEqual({ n_calls: 3, truncated: 1, judge_ok: 1 });
});

test("a finished transcript is graded once", async () => {
  let calls = 0;
  const world = sessions({
    grade: () => {
      calls++;
      return { reward: 0.5, metrics: { polite: 1 } };
    },
    metrics: () => ({ trace_clean: 1 }),
  });
  const { session } = world.reset();
  const messages = [{ role: "assistant", content: "", tool_calls: [{}, {}] }];
  const first = await world.score(session, messages);
  expect(first).toEqual({
    reward: 0.5,
    metrics: { n_calls: 2, truncated: 0, judge_ok: 1, trace_clean: 1, polite: 1 },
    judge_status: "ok",
    judge_error: null,
  });
  expect(await world.score(session, [])).toBe(first);
  expect(calls).toBe(1);
});

test.each([
  ["throws", () => Promise.reject(new Error("no answer")), "no answer"],
  ["answers NaN", () => Number.NaN, "The grader answered NaN."],
])("a grader that %s is no failure of the agent", async (_name, grade, judge_error) => {
  const world = sessions({ grade });
  const scored = await world.score(world.reset().session, []);
  expect(scored).toMatchObject({ reward: 0, metrics: { judge_ok: 0 }, judge_status: "error", judge_error });
});

test("all rollouts of a task are played in one harness", () => {
  const harnesses = [{ label: "plain" }, { label: "cot", instructions: "Think first." }];
  const world = sessions({ spec: { ...SPEC, harnesses } });
  const drawn = (id: string) => world.reset({ task_id: id });
  expect(new Set([1, 2, 3].map(() => drawn("a").harness)).size).toBe(1);
  const thinking = ["a", "b", "h"].map(drawn).find(({ harness }) => harness === "cot");
  expect(thinking?.messages[0]?.content ?? "Be brief.\n\nThink first.").toBe("Be brief.\n\nThink first.");
});

test("an episode that nobody asks is forgotten", () => {
  const world = sessions({ ttlMs: 1000 });
  const { session } = world.reset();
  time = 2000;
  world.reset();
  expect(() => world.state(session)).toThrow(expect.objectContaining({ code: "not_found" }));
  expect(world.counts.sessions).toBe(1);
});
