import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClient } from "@while/platform-client/files";
import { formatVerdict } from "@while/platform-client/rules";
import { type Platform, startPlatform } from "@while/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verdictExit } from "../src/commands/platform/verdict.ts";
import { wai } from "./terminal.ts";

const QUIET = { info: () => {}, error: (event: string, fields?: unknown) => console.error(event, fields) };

/** `wai` against a platform of its own, as a person would use it. */
describe("the verbs of the platform", () => {
  let platform: Platform;
  let home: string;
  let env: Record<string, string>;
  let mail = "";
  const run = (...argv: string[]) => wai(argv, { env });
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, "--json")).stdout);
  const post = async (path: string, body: unknown, bearer?: string) =>
    (
      await fetch(platform.url + path, {
        method: "POST",
        headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
        body: JSON.stringify(body),
      })
    ).json() as Promise<Record<string, string>>;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "wai-verbs-"));
    const log = {
      ...QUIET,
      info: (event: string, fields?: Readonly<Record<string, unknown>>) => {
        if (event === "mail") mail = String(fields?.subject);
      },
    };
    platform = await startPlatform({ settings: { data: join(home, "data"), port: 0 }, log });
    env = { WHILEAI_API_URL: platform.url, WHILEAI_PLATFORM_URL: platform.url, WHILEAI_HOME: join(home, "while") };
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(home, { recursive: true, force: true });
  });

  test("before a login every verb says how to get a key, and status is no error", async () => {
    expect(await run("agents")).toMatchObject({ code: 1, stdout: "" });
    expect((await run("agents")).stderr).toContain("wai login");
    const { code, stdout } = await run("status");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { configured: false, pending: false, key: null, api_url: platform.url },
    ]);
  });

  test("a login is begun, approved by its person, and gone on with", async () => {
    const begun = await run("login", "--no-wait", "--name", "laptop");
    expect(begun).toMatchObject({ code: 0, stdout: "" });
    const code = /[A-Z]{4}-[A-Z]{4}/.exec(begun.stderr)?.[0];
    expect(begun.stderr).toContain(`${platform.url}/device?code=${code}`);
    expect(await run("login", "--timeout", "0.1", "--no-browser")).toMatchObject({ code: 2 });
    await post("/auth/email/start", { email: "ada@example.org" });
    const { session } = await post("/auth/email/verify", { email: "ada@example.org", code: /\d{6}/.exec(mail)?.[0] });
    await post("/device/decide", { user_code: code, approve: true }, session);
    const done = await run("login", "--no-browser");
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(new RegExp(`^signed in at ${platform.url} as laptop, key zp_....\\.\\.\\.....\n$`));
    expect(statSync(join(home, "while", "credentials.json")).mode & 0o777).toBe(0o600);
    expect(await json("status")).toMatchObject({ configured: true, source: "file", tier: "full" });
    expect((await run("keys")).stdout).toMatch(/^laptop {2}zp_\S+ {2}full {2}\d{4}-\d\d-\d\d\n1 of 5\n$/);
  });

  test("a set goes through the gate, is listed, profiled, pulled as it was and deleted", async () => {
    const file = join(home, "rl.jsonl");
    const rows = Array.from({ length: 40 }, (_, i) => ({
      schema_version: "1",
      scenario_id: `s${i % 10}`,
      prompt: `p${i % 10}`,
      steps: [],
      final_text: `reply ${i}`,
      reward: (i * 7) % 3 > 0 ? 1 : 0,
    }));
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const pushed = await run("push", file, "--agent", "Refund Bot", "--mode", "rl", "--holdout", "0.4");
    expect(pushed.stdout).toMatch(
      /^ds_[0-9a-f]{16}: \d+ rows of \d tasks\nholdout ds_[0-9a-f]{16}: \d+ rows of \d tasks\n$/,
    );
    const id = pushed.stdout.slice(0, 19);
    expect((await run("datasets")).stdout).toMatch(
      /ds_\S+ {2}holdout {2}\d+ rows .*\nds_\S+ {2}train .* refund-bot {2}rl\n/,
    );
    expect((await run("profile", id)).stdout).toMatch(/^\d+ rows of \d tasks, [\d.]+% pass\n/);
    const out = join(home, "pulled.jsonl");
    expect(await run("pull", id, "-o", out)).toMatchObject({ code: 0 });
    expect((await run("pull", id)).stdout).toBe(readFileSync(out, "utf8"));
    expect(await run("rm-dataset", id)).toMatchObject({ code: 3 });
    expect((await run("rm-dataset", id, "--yes")).stdout).toBe(`${id} (rl) is deleted\n`);
    expect(await run("pull", id, "-o", join(home, "gone.jsonl"))).toMatchObject({ code: 1 });
    expect(existsSync(join(home, "gone.jsonl"))).toBe(false);
  });

  test("what the gate refuses is not uploaded; --no-gate sends the bytes as they are", async () => {
    const file = join(home, "raw.jsonl");
    const text = '{"schema_version":"1","scenario_id":"a","prompt":"p","steps":[],"final_text":"x"}\n';
    writeFileSync(file, text.repeat(2));
    const before = (await json("datasets")).datasets.length;
    const refused = await run("push", file, "--mode", "rl");
    expect([refused.code, refused.stderr.split("\n")[0]]).toEqual([1, expect.stringMatching(/^error: /)]);
    expect((await json("datasets")).datasets).toHaveLength(before);
    const { stdout } = await run("push", file, "--no-gate");
    expect((await run("pull", stdout.slice(0, 19))).stdout).toBe(text.repeat(2));
  });

  test("an agent's runs, verdict, brief and evals are said in the same words by client, server and command line", async () => {
    const client = openClient({ env, out: null });
    const bot = await client.track("refund-bot", { model: "Qwen/Qwen3-4B" });
    await bot.behavior("refunds", {
      testVersion: "t1",
      n: 240,
      judge: { agreement: 0.86, humanN: 60, verified: true },
      noiseFloor: 2.4,
      contamination: 0,
      rewardIsJudge: false,
    });
    const ids: string[] = [];
    for (const [version, score, ci] of [
      ["v3", 78, 3.1],
      ["v4", 83, 2.7],
    ] as const) {
      const one = await bot.run(version, { method: "GRPO", targets: ["refunds"] });
      one.log(1, { reward: 0.4 });
      await one.score("refunds", score, {
        ci,
        n: 240,
        testVersion: "t1",
        rows: [
          { ok: true, prompt: "Refund 1" },
          { ok: false, prompt: "Refund\n2", why: "said no" },
        ],
      });
      await one.finish("evaluated", { say: false });
      ids.push(one.id);
    }
    expect((await run("promote", "refund-bot", "v3")).stdout).toBe("v3 serves; nothing served before\n");
    expect((await run("agents")).stdout).toBe("Refund-Bot  Qwen/Qwen3-4B  v3  2 runs  beats\n");
    expect((await run("runs", "refund-bot")).stdout).toMatch(
      /^v4 {2}GRPO {2}evaluated {2}refunds {2}\S+ {2}run_\w+\nv3 /,
    );

    const { stdout: line, code } = await run("verdict", "refund-bot", "--require", "beats");
    expect(code).toBe(0);
    const verdict = await bot.verdict("refunds");
    expect(line).toBe(`${formatVerdict(verdict)}\n`);
    const key = JSON.parse(readFileSync(join(home, "while", "credentials.json"), "utf8"));
    const apiKey =
      key.api_key ?? Object.values<{ api_key?: string }>(key.origins ?? key).find((saved) => saved.api_key)?.api_key;
    const get = async (path: string) => (await fetch(platform.url + path, { headers: { "x-api-key": apiKey } })).json();
    expect(await get("/agents/refund-bot/verdict?behavior=refunds")).toEqual(verdict);
    expect(await get("/agents/refund-bot/brief")).toMatchObject({
      means: (await bot.brief()).means,
      happened: (await bot.brief()).happened,
    });
    expect((await run("agent", "refund-bot")).stdout).toContain(formatVerdict(verdict));
    expect((await run("brief", "refund-bot", "--md")).stdout).toMatch(/^# refund-bot on http/);
    expect((await run("evals", "refund-bot")).stdout).toMatch(/^refunds: good/);
    expect(await json("verdict", "refund-bot")).toMatchObject({ kind: "beats", half_width: verdict.halfWidth });

    expect((await run("eval-rows", ids[1] as string, "refunds", "--failed")).stdout).toBe("no  Refund 2  (said no)\n");
    expect((await run("eval-rows", ids[1] as string, "refunds", "--json")).stdout.split("\n")).toHaveLength(3);
    expect((await run("open", ids[1] as string)).stdout).toMatch(
      /^v4 \(run_\w+\) of refund-bot: evaluated\n {2}refunds 83 ± 2.7 on 240\n {4}its rows say 50 and not 83: 33 points apart\nmissing\n/,
    );
    const dismiss = (...argv: string[]) => run("dismiss", ids[1] as string, ...argv);
    expect((await dismiss("hours_cost", "--reason", "the GPU is ours")).stdout).toBe(
      `${ids[1]} (v4): hours_cost is dismissed: the GPU is ours\n`,
    );
    const opened = (await run("open", ids[1] as string)).stdout;
    expect(opened).toMatch(/\ndismissed hours_cost: nobody can tell .* \(the GPU is ours, laptop\)\n$/);
    expect(opened).not.toContain('costUsd"');
    expect((await dismiss("hours_cost", "--undo")).stdout).toBe(`${ids[1]} (v4): hours_cost is asked for again\n`);
    for (const [argv, code, what] of [
      [["rubric", "--reason", "r"], 3, "rubric is not asked of a run."],
      [["hours_cost"], 3, "no --reason"],
      [["hours_cost", "--reason", " "], 1, "blank"],
    ] as const) {
      const told = await dismiss(...argv);
      expect([told.code, told.stderr]).toEqual([code, expect.stringContaining(what)]);
    }
    expect((await run("archive", "refund-bot", ids[1] as string)).stdout).toBe(`${ids[1]} (v4) is archived\n`);
    expect((await run("verdict", "refund-bot", "--require", "beats")).code).toBe(2);
    await run("archive", "refund-bot", ids[1] as string, "--undo");
    expect(
      (
        await run(
          "live",
          "refund-bot",
          "--day",
          "2026-09-17",
          "--version",
          "v3",
          "--replies",
          "2400",
          "--flagged",
          "98",
        )
      ).stdout,
    ).toBe("2026-09-17: 2400 replies of v3, 98 flagged\n");
    await client.close();
  });

  test("a run of any trainer is watched to its end", async () => {
    const client = openClient({ env, out: null });
    const training = await client.trainingRun("tiny sft", { totalSteps: 3 });
    const watched = run("watch", training.id, "--follow");
    for (let i = 1; i <= 3; i += 1) training.log(i, { loss: 1 / i });
    await training.finish("done", { summary: { gpu: "A10G", seconds: 56.4 } });
    const { code, stdout } = await watched;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tiny sft \(run_\w+\): done, step 3 of 3\n {2}loss 0\.333/);
    expect(stdout).toContain("$0.02");
    await client.close();
  });

  test.each([
    [["agent", "nobody"], 1, "No agent nobody under this key."],
    [["agent"], 3, "wai agent was given nothing."],
    [["promote", "refund-bot"], 3, "wai promote was given refund-bot."],
    [["promote", "refund-bot", "v9"], 1, "carries version v9."],
    [["signup", "--email", "no address"], 1, "no address"],
    [["verdict", "nobody", "--require", "beats"], 1, "No agent nobody"],
  ])("wai %j", async (argv, code, what) => {
    const told = await run(...argv);
    expect(told.code).toBe(code);
    expect(told.stderr).toContain(what);
    expect(told.stderr.trimEnd().split("\n")).toHaveLength(2);
  });

  test("a platform that is not there is said so, in two lines", async () => {
    const told = await wai(["agents", "--api-key", "zp_x"], {
      env: { ...env, WHILEAI_API_URL: "http://127.0.0.1:9", WHILEAI_PLATFORM_URL: "http://127.0.0.1:9" },
    });
    expect(told.code).toBe(1);
    expect(told.stderr).toContain("127.0.0.1:9");
  });

  test("a logout forgets the key", async () => {
    expect((await run("logout")).stdout).toBe("the saved keys are gone\n");
    expect((await run("logout")).stdout).toBe("there was no saved key\n");
  });
});

test.each([
  ["beats", [], 0],
  ["beats", ["n=40 under 50"], 2],
  ["trails", [], 1],
  ["about_same", [], 1],
  ["inside_floor", [], 1],
  ["no_interval", [], 2],
  ["not_comparable", [], 2],
] as const)("--require beats on %s with gaps %j is %i", (kind, gaps, code) => {
  expect(verdictExit({ kind, gaps: [...gaps] })).toBe(code);
});
