import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Row, sha256Hex } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { type Agent, type Journal, type SimulateOptions, simulate, type Writer } from "@while/simulate";
import { runDirectory } from "@while/simulate/files";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";

let folder: string;
let calls: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-"));
  calls = 0;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
const agent: Agent = Object.assign(
  (message: string) => {
    calls++;
    return `You said: ${message}`;
  },
  { modelVersion: "echo" },
);
const run = (options: SimulateOptions = {}, journal: Journal = runDirectory(folder)) =>
  simulate(agent, { seeds: ["A", "B", "C"], repeats: 2, ...options, journal });
const file = (name: string) => join(folder, name);

test("holds what the run is, its plan, its rows and its report, and every reader takes it", async () => {
  const { rows, report } = await run({ systemPrompt: "Be brief." });
  expect(readdirSync(folder).sort()).toEqual(
    [
      "attempts.jsonl",
      "plan.jsonl",
      "privileged.jsonl",
      "report.json",
      "rows.jsonl",
      "rows.meta.json",
      "run.json",
    ].sort(),
  );
  const read = await readRowFiles([folder]);
  expect(read.rows).toEqual(rows);
  expect(read.report.systemPrompts.get(rows[0]!.lineage!.system_prompt_sha!)).toBe("Be brief.");
  expect(JSON.parse(readFileSync(file("report.json"), "utf8"))).toMatchObject({
    rollouts_completed: report.rolloutsCompleted,
  });
  // What a teacher knows is for its owner alone.
  expect(statSync(file("privileged.jsonl")).mode & 0o077).toBe(0);
  expect(readFileSync(file("rows.jsonl"), "utf8")).not.toContain("privileged");
});

test("a run that is whole is not run again, and still has its teacher's blocks", async () => {
  const first = await run();
  calls = 0;
  const again = await run();
  expect([calls, again.report.rolloutsResumed]).toEqual([0, 6]);
  expect(again.rows).toEqual(first.rows);
  expect(again.trajectories).toEqual(first.trajectories);
});

test("rows that are missing are made, also behind a line that was torn", async () => {
  const { rows } = await run();
  const lines = readFileSync(file("rows.jsonl"), "utf8").split("\n");
  writeFileSync(file("rows.jsonl"), `${lines.slice(0, 4).join("\n")}\n{"prompt": "B", "rollout`);
  calls = 0;
  expect((await run()).rows).toEqual(rows);
  expect(calls).toBe(2);
});

test("of a row that stands there twice the first counts", async () => {
  const { rows } = await run();
  appendFileSync(file("rows.jsonl"), `${JSON.stringify({ ...rows[0], final_text: "other" })}\n`);
  expect((await run()).rows).toEqual(rows);
});

describe("another run in the same folder is refused, and told by what", () => {
  test.each<[string, SimulateOptions, string]>([
    ["rules", { systemPrompt: "Be long." }, "system_prompt_sha"],
    ["agent", { modelVersion: "other" }, "agent echo, now other"],
    ["seed", { seed: 4 }, "seed not given, now 4"],
    ["tools", { tools: [{ name: "look" }] }, "tools"],
    ["prompts", { seeds: ["D"] }, "seeds"],
    ["counts", { repeats: 3 }, "repeats 2, now 3"],
  ])("%s", async (_what, options, told) => {
    await run();
    const error = await run(options).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "run_differs" });
    expect(error.what).toContain(told);
    // And the folder is free again.
    expect((await run()).report.rolloutsResumed).toBe(6);
  });

  test("what rows do not hang on may change", async () => {
    await run();
    expect((await run({ concurrency: 1, retries: 5 })).report.rolloutsResumed).toBe(6);
  });
});

test("pinned tasks may get more repeats and more runs", async () => {
  const tasks = [{ prompt: "A" }, { prompt: "B" }];
  await simulate(agent, { tasks, repeats: 2, journal: runDirectory(folder) });
  calls = 0;
  const { rows } = await simulate(agent, { tasks, repeats: 3, runs: 2, journal: runDirectory(folder) });
  expect([rows.length, calls]).toEqual([12, 8]);
});

test("two processes do not write one run, and a lock whose process is gone is taken over", async () => {
  writeFileSync(file("lock"), JSON.stringify({ pid: process.pid, started: null }));
  await expect(run()).rejects.toMatchObject({ code: "run_locked" });
  writeFileSync(file("lock"), JSON.stringify({ pid: 2 ** 22 + 1, started: null }));
  expect((await run()).rows).toHaveLength(6);
  writeFileSync(file("lock"), "{");
  expect((await run()).report.rolloutsResumed).toBe(6);
});

test("lost tries are written down with their reason", async () => {
  const { SimulateError } = await import("@while/simulate");
  let n = 0;
  const flaky: Agent = () => {
    if (n++ === 0) throw new SimulateError("infrastructure", "503.", "Wait.");
    return "Done.";
  };
  await simulate(flaky, { seeds: ["A"], journal: runDirectory(folder) });
  const attempts = readFileSync(file("attempts.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(attempts).toMatchObject([
    { attempt: 1, outcome: "lost", reason: "infrastructure", detail: "503." },
    { attempt: 2, outcome: "row" },
  ]);
});

test("with durability disk the rows are the same", async () => {
  const { rows } = await run({}, runDirectory(folder, { durability: "disk" }));
  expect((await readRowFiles([folder])).rows).toHaveLength(rows.length);
});

test.each([
  ["run.json", "{}", "is no run of this format"],
  ["rows.jsonl", "{]\n", "line 1, is no JSON"],
])("a %s that is none is refused with its place", async (name, text, what) => {
  await run();
  writeFileSync(file(name), text);
  await expect(run()).rejects.toThrow(what);
});

test.each(["rl", "adaptive"])(
  "in mode %s, which looks at rows before it goes on, a run resumes to the same rows",
  async (mode) => {
    let graded = 0;
    const grader = ({ prompt = "", rollout_index: n }: Row) => {
      graded++;
      return (prompt!.length + n!) % 3 === 0 ? 1 : 0;
    };
    const tools = [{ name: "get_order", parameters: { order_id: { type: "string" } } }];
    const options = { tools, mode, budget: 60, grader };
    const { rows } = await simulate(agent, { ...options, journal: runDirectory(folder) });
    const lines = readFileSync(file("rows.jsonl"), "utf8").trimEnd().split("\n");
    writeFileSync(file("rows.jsonl"), `${lines.slice(0, 25).join("\n")}\n`);
    graded = 0;
    const again = await simulate(agent, { ...options, journal: runDirectory(folder) });
    expect(again.rows).toEqual(rows);
    expect([graded, again.report.rolloutsResumed]).toEqual([rows.length - 25, 25]);
  },
);

test("a budget holds over the processes of a run: what an earlier one paid is not paid again", async () => {
  const paid: Agent = async (message, { meter, spend }) => {
    const release = await spend(0.1);
    calls++;
    meter({ role: "agent", model: "m", inputTokens: 6, outputTokens: 4, costUsd: 0.1 });
    release();
    return message;
  };
  const start = (usdBudget: number) =>
    simulate(paid, { seeds: ["A", "B", "C", "D", "E"], concurrency: 1, usdBudget, journal: runDirectory(folder) });
  const first = await start(0.25);
  expect([first.rows.length, first.report.stoppedBecause, first.report.spentBefore]).toEqual([2, "cost_budget", null]);
  const again = await start(0.25);
  expect([calls, again.rows.length, again.report.stoppedBecause]).toEqual([2, 2, "cost_budget"]);
  expect(again.report.spentBefore).toEqual({ usd: 0.2, tokens: 20 });
  const more = await start(0.45);
  expect([calls, more.rows.length]).toEqual([4, 4]);
});

describe("a search", () => {
  const parameters = { type: "object", properties: { order_id: { type: "string" } } };
  const options = { search: true, tools: [{ name: "get_order", parameters }], seeds: ["A"], repeats: 1, budget: 70 };
  const planned = (): { round: { n: number } }[] =>
    readFileSync(file("plan.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("writes its rounds down one behind the other, and a whole one calls nobody", async () => {
    const first = await run(options);
    expect(first.rows).toHaveLength(70);
    expect(planned().map(({ round }) => round.n)).toEqual([
      ...[0, ...Array.from({ length: 32 }, () => 1), ...Array.from({ length: 32 }, () => 2), 3, 3, 3, 3, 3],
    ]);
    calls = 0;
    const again = await run(options);
    expect(calls).toBe(0);
    expect(again.rows).toEqual(first.rows);
    expect(again.report.search).toEqual(first.report.search);
  });

  test("chooses a round again that was written down in part: none of it was run", async () => {
    const first = await run(options);
    const lines = readFileSync(file("plan.jsonl"), "utf8").trimEnd().split("\n");
    const rows = readFileSync(file("rows.jsonl"), "utf8").trimEnd().split("\n");
    writeFileSync(file("plan.jsonl"), `${lines.slice(0, 40).join("\n")}\n`);
    writeFileSync(file("rows.jsonl"), `${rows.slice(0, 33).join("\n")}\n`);
    calls = 0;
    const again = await run(options);
    expect(calls).toBe(70 - 33);
    expect(again.rows).toEqual(first.rows);
    expect(planned()).toHaveLength(70);
  });

  test("whose writer had to be set on other words goes on with those", async () => {
    // Knows forty asks, and picks by the call: soon it repeats itself.
    const few: Writer = {
      name: "few",
      write: async (cards, { round }) => ({
        written: cards.map((card) => {
          const word = sha256Hex(`${Number.parseInt(sha256Hex(`${round}${card.id}`).slice(0, 8), 16) % 40}`);
          return { card, prompt: `${word.slice(0, 12)} ${word.slice(12, 24)}` };
        }),
        warnings: [],
      }),
    };
    const search = { ...options, writer: few, armWeights: { structured: 1 } };
    const first = await run(search);
    expect(first.report.search!.restarts).toBeGreaterThan(0);
    const last = planned().at(-1)!.round.n;
    const isBefore = planned().filter(({ round }) => round.n < last).length;
    for (const [name, n] of [
      ["plan.jsonl", isBefore],
      ["rows.jsonl", isBefore],
    ] as const) {
      const lines = readFileSync(file(name), "utf8").split("\n");
      writeFileSync(file(name), `${lines.slice(0, n).join("\n")}\n`);
    }
    const again = await run(search);
    expect(again.rows).toEqual(first.rows);
    expect(again.report.search!.restarts).toBe(first.report.search!.restarts);
  });

  test("is another run than one that draws at once", async () => {
    await run(options);
    await expect(run({ ...options, search: false })).rejects.toThrow(/holds another run: search true, now false/);
  });
});
