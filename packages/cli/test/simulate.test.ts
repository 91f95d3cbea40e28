import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { harnessSweep, seededAgent, simulate } from "@while/simulate";
import { describe, expect, test } from "vitest";
import { folder, wai } from "./terminal.ts";

const TOOLS = [{ name: "get_order", description: "of A1001 to A1003", parameters: { order_id: { type: "string" } } }];
const AGENT = `export default async function desk(message, { call }) {
  const order_id = /A\\d{4}/.exec(message)?.[0];
  if (order_id === undefined) return "Which order?";
  return "Here it is: " + JSON.stringify(await call("get_order", { order_id }));
}`;

function workplace() {
  const at = folder();
  const file = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  const [tools, agent] = [file("tools.json", JSON.stringify(TOOLS)), file("agent.mjs", AGENT)];
  return { at, file, tools, agent, out: at("rows.jsonl") };
}

describe("wai simulate", () => {
  test("writes the rows of simulate, with tools and rules beside them, and reports them", async () => {
    const { file, tools, out } = workplace();
    const system = file("rules.txt", "Be brief.\n");
    const argv = [
      "--seeded",
      "0.35",
      "--tools",
      tools,
      "--system",
      system,
      "--budget",
      "12",
      "--repeats",
      "2",
      "-o",
      out,
      "--json",
    ];
    const { code, stdout, stderr } = await wai(["simulate", ...argv]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const data = await simulate(seededAgent({ rate: 0.35 }), {
      tools: TOOLS,
      systemPrompt: "Be brief.",
      budget: 12,
      repeats: 2,
    });
    expect(JSON.parse(stdout)).toEqual(toWire(data.report));
    const read = await readRowFiles([out]);
    expect(read.rows).toEqual(data.rows);
    expect(read.report.tools).toEqual(data.tools);
  });

  test("runs an agent of one's own on the tasks of a file, with the tools and rules that the file brings", async () => {
    const { agent, tools, out, at } = workplace();
    await wai(["simulate", "--agent", agent, "--tools", tools, "--budget", "4", "-o", out]);
    const again = at("again.jsonl");
    const { code, stderr } = await wai(["simulate", "--agent", agent, "--tasks", out, "--runs", "2", "-o", again]);
    expect(code).toBe(0);
    expect(stderr).toContain("8 of 8 rollouts of desk on 4 tasks, 2 runs (tasks_done)");
    const [before, after] = [await readRowFiles([out]), await readRowFiles([again])];
    expect(after.rows.slice(0, 4).map(({ scenario_id, final_text }) => [scenario_id, final_text])).toEqual(
      before.rows.map(({ scenario_id, final_text }) => [scenario_id, final_text]),
    );
  });

  test("an agent and a judge without a name have that of their file, and a judge that fails is told", async () => {
    const { file, tools, out } = workplace();
    const agent = file("desk-2.mjs", "export default (() => (message) => 'You said ' + message)();");
    const judge = file("strict.mjs", "export default (() => () => { throw new Error('no key'); })();");
    const argv = ["simulate", "--agent", agent, "--judge", judge, "--tools", tools, "--budget", "2", "-o", out];
    const { stderr } = await wai(argv);
    expect(stderr).toContain("2 of 2 rollouts of desk-2 on 2 tasks");
    expect(stderr).toContain("The judge failed on 2 of 2 rows, first: no key.");
    const { rows } = await readRowFiles([out]);
    expect(rows[0]).toMatchObject({ model_version: "desk-2", judge_name: "strict", judge_status: "judge_error" });
  });

  test.each([
    ["named.mjs", "export const agent = () => 1;", ["--agent"], /It exports agent by name.*\(message, context\) =>/s],
    ["empty.txt", "\n \n", ["--seeds"], /empty.txt, which holds no prompt/],
    ["none.json", "[]", ["--tools"], /none.json, an empty list/],
    ["nameless.json", '[{"name":""}]', ["--tools"], /tools\[0\] has no name/],
    ["file.txt", "", ["--run-dir"], /file.txt is a file, or lies in one/],
  ])("%s is refused with its place", async (name, text, [flag], said) => {
    const { file, agent, tools, out } = workplace();
    const given: Record<string, string> = { "--agent": agent, "--tools": tools, "-o": out, [flag!]: file(name, text) };
    if (flag === "--seeds") delete given["--tools"];
    const { code, stderr } = await wai(["simulate", ...Object.entries(given).flat(), "--budget", "2"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(said);
  });

  test("searches as the library does, and refuses what it would refuse", async () => {
    const { tools, out } = workplace();
    const argv = ["simulate", "--seeded", "0.35", "--tools", tools, "--budget", "40", "-o", out];
    const { code, stdout } = await wai([...argv, "--search", "--arm-weights", "structured=3,open_ended=1", "--json"]);
    expect(code).toBe(0);
    const search = { search: true, armWeights: { structured: 3, open_ended: 1 } };
    const data = await simulate(seededAgent({ rate: 0.35 }), { tools: TOOLS, budget: 40, ...search });
    expect(JSON.parse(stdout)).toEqual(toWire(data.report));
    const said = async (...more: string[]) => (await wai([...argv, ...more])).stderr;
    expect(await said("--until", "saturation")).toMatch(/--until was given without --search/);
    expect(await said("--search", "--arm-weights", "structured")).toMatch(/--arm-weights got "structured"/);
    expect(await said("--search", "--arm-weights", "llm=1")).toMatch(/--arm-weights names "llm"/);
    expect(await said("--search", "--mode", "rl")).toMatch(/goes round by round, and so does mode rl/);
  });

  test("in a run directory, the same call resumes and calls nobody", async () => {
    const { file, at } = workplace();
    const calls = at("calls.txt");
    writeFileSync(calls, "");
    const agent = file(
      "count.mjs",
      `import { appendFileSync } from "node:fs"; export default (m) => { appendFileSync(${JSON.stringify(calls)}, "x"); return m; };`,
    );
    const seeds = file("seeds.txt", "A\n\nB\n");
    const argv = ["simulate", "--agent", agent, "--seeds", seeds, "--run-dir", at("run")];
    const { code, stdout, stderr } = await wai(argv);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("2 of 2 rollouts") });
    expect(stderr).toContain("the run is in");
    expect((await wai(argv)).stdout).toContain("resumed");
    expect(readFileSync(calls, "utf8")).toBe("xx");
  });

  test("--plan says what it would run, and runs nothing", async () => {
    const { tools, out } = workplace();
    const argv = ["--seeded", "0.3", "--tools", tools, "--situations", "8", "--repeats", "4", "--plan"];
    const { code, stdout } = await wai(["simulate", ...argv]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^32 rollouts: 8 prompts of 8 situations, 4 each, 1 run\n/);
    expect(existsSync(out)).toBe(false);
  });

  test.each([
    ["an agent that throws", "export default () => { throw new Error('no model'); }", [], 1],
    ["an agent that hangs", "export default () => new Promise(() => {})", ["--timeout", "0.01"], 1],
    [
      "one that hangs at times",
      "export default (m) => (m === 'A' ? new Promise(() => {}) : m)",
      ["--timeout", "0.5"],
      2,
    ],
    ["a judge beside a sound one", "export default (m) => m", ["--judge", "JUDGE"], 0],
  ])("%s exits as it should", async (_what, source, argv, exit) => {
    const { file, out } = workplace();
    const judge = file("judge.mjs", "export default () => 1;");
    const agent = file("own.mjs", source);
    const seeds = file("seeds.txt", "A\nB\n");
    const flags = argv.map((word) => (word === "JUDGE" ? judge : word));
    expect((await wai(["simulate", "--agent", agent, "--seeds", seeds, ...flags, "-o", out])).code).toBe(exit);
  });

  test.each<[string[], string]>([
    [["-o", "x.jsonl"], "was given no agent"],
    [["--seeded", "0.3"], "has nowhere to write"],
    [["--seeded", "0.3", "--agent", "a.mjs", "-o", "x"], "--agent and --seeded"],
    [["--seeded", "0.3", "-o", "x"], "nothing that tasks could be drawn from"],
    [["--seeded", "0.3", "--tools", "none.json", "-o", "x"], "none.json, which cannot be read (ENOENT)"],
    [["--seeded", "0.3", "--mode", "chaos", "-o", "x"], '--mode got "chaos"'],
  ])("%j is refused", async (argv, what) => {
    const { code, stderr } = await wai(["simulate", ...argv]);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining(what) });
  });
});

describe("wai sweep", () => {
  const VARIANTS = `const agentOf = (rate) => (_, { rolloutSeed }) => (rolloutSeed / 2 ** 32 < rate ? "yes" : "no");
export default [
  { harness: { label: "plain", instructions: "A" }, agent: agentOf(0.4) },
  { harness: { label: "rules", instructions: "B" }, agent: agentOf(RATE) },
];`;
  const JUDGE = 'export default function says(row) { return row.final_text === "yes" ? 1 : 0; }';

  function asks() {
    const { file } = workplace();
    const rows = Array.from({ length: 40 }, (_, n) => JSON.stringify({ task_id: `t${n}`, prompt: `Ask ${n}` }));
    return { file, rows: file("asks.jsonl", rows.join("\n")), judge: file("judge.mjs", JUDGE) };
  }

  test.each([
    ["1", 0, "rules clears all others"],
    ["0.4", 1, "no winner"],
  ])("a second setup at a rate of %s exits %i", async (rate, exit, said) => {
    const { file, rows, judge } = asks();
    const variants = file("variants.mjs", VARIANTS.replace("RATE", rate));
    const { code, stdout, stderr } = await wai([
      "sweep",
      rows,
      "--variants",
      variants,
      "--judge",
      judge,
      "--noise-runs",
      "3",
    ]);
    expect({ code, stdout }).toMatchObject({ code: exit, stdout: expect.stringContaining(said) });
    expect(stderr).toContain("plain, 1 of 2");
  });

  test("prints the report of harnessSweep", async () => {
    const { file, rows, judge } = asks();
    const path = file("variants.mjs", VARIANTS.replace("RATE", "0.8"));
    const { stdout } = await wai([
      "sweep",
      rows,
      "--variants",
      path,
      "--judge",
      judge,
      "--k",
      "2",
      "--json",
      "--quiet",
    ]);
    const [{ default: variants }, { default: says }] = [await import(path), await import(judge)];
    const report = await harnessSweep(variants, (await readRowFiles([rows])).rows, { judge: says, k: 2 });
    expect(JSON.parse(stdout)).toEqual(toWire(report));
  });

  test.each<[string[], string]>([
    [["--judge", "JUDGE"], "was given no --variants"],
    [["--variants", "VARIANTS"], "was given no --judge"],
    [["--variants", "VARIANTS", "--judge", "JUDGE", "--agreement", "0.9"], "belong together"],
  ])("%j is refused", async (argv, what) => {
    const { file, rows, judge } = asks();
    const variants = file("variants.mjs", VARIANTS.replace("RATE", "1"));
    const words = argv.map((word) => ({ JUDGE: judge, VARIANTS: variants })[word] ?? word);
    expect(await wai(["sweep", rows, ...words])).toMatchObject({ code: 3, stderr: expect.stringContaining(what) });
  });
});
