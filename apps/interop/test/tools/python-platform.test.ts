import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Platform, startPlatform } from "@while/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonTool, TIMEOUT_MS } from "./tool.ts";

const sdk = pythonTool("whileai", "whileai", "platform_walk");

interface Step {
  call: string;
  ok: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  answer?: any;
  error?: string;
}

/** What the Python SDK asks of a platform that ours does not do, and why. */
const DIFFERS: Readonly<Record<string, string>> = {
  hf_status: "the Hub through the platform needs an account connected there; push with a token of one's own instead",
};

const ROWS = Array.from({ length: 40 }, (_, i) => ({
  schema_version: "1",
  scenario_id: `s${i % 10}`,
  rollout_index: Math.floor(i / 10),
  prompt: `Refund order ${i % 10} “née” \u2028`,
  steps: [{ tool: "refund", arguments: { order: i % 10 }, result: "ok" }, { text: "Done." }],
  final_text: `Done ${i}.`,
  reward: (i % 10 < 6 && i % 3 > 0) || i % 10 === 9 ? 1 : 0,
}));

describe.skipIf(sdk.isMissing)(`${sdk.title} as a client of the platform`, () => {
  const data = mkdtempSync(join(tmpdir(), "while-python-platform-"));
  let platform: Platform;
  let steps: Map<string, Step>;

  beforeAll(async () => {
    let code = "";
    const log = {
      info: (event: string, fields?: Readonly<Record<string, unknown>>) => {
        if (event === "mail") code = /\d{6}/.exec(String(fields?.subject))?.[0] ?? "";
      },
      error: (event: string, fields?: unknown) => console.error(event, fields),
    };
    platform = await startPlatform({ settings: { data, port: 0 }, log });
    const post = async (path: string, body: unknown) =>
      (await fetch(platform.url + path, { method: "POST", body: JSON.stringify(body) })).json() as Promise<
        Record<string, string>
      >;
    await post("/auth/email/start", { email: "ada@example.org" });
    const { session } = await post("/auth/email/verify", { email: "ada@example.org", code });
    const rows = join(data, "rows.jsonl");
    writeFileSync(rows, ROWS.map((row) => `${JSON.stringify(row).replaceAll("\u2028", "\\u2028")}\n`).join(""));
    const folder = await sdk.write(platform.url, session as string, rows);
    const listed = JSON.parse(readFileSync(join(folder, "steps.json"), "utf8")) as Step[];
    steps = new Map(listed.map((step) => [step.call, step]));
    for (const { call, ok, error } of listed) {
      const how = ok ? "same answer" : DIFFERS[call] === undefined ? error : `differs: ${DIFFERS[call]}`;
      console.log(`whileai ${sdk.version()}  ${call.padEnd(28)}  ${how}`);
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test("every call is answered, but for those that are said to differ", () => {
    const failed = [...steps.values()].filter(({ ok, call }) => !ok && DIFFERS[call] === undefined);
    expect(failed).toEqual([]);
    expect([...steps.values()].filter(({ ok, call }) => ok && DIFFERS[call] !== undefined)).toEqual([]);
  });

  const answer = (call: string) => steps.get(call)?.answer;

  test("sets are split, pushed and pulled as they were", () => {
    expect(answer("push_rows")).toMatchObject({ status: "ready", agent: "python-bot", mode: "rl", purpose: "train" });
    expect(answer("push_rows").rows + answer("push_rows").holdout.rows).toBe(40);
    expect(answer("pull")).toBe(true);
    expect(answer("profile")).toMatchObject({ graded: answer("push_rows").rows });
  });

  test("a run's points, scores and rows come back, and a finish keeps what the opening pinned", () => {
    expect(answer("rows, read back")).toBe(620);
    expect(answer("open, what it holds")).toEqual({ step: 59, scores: 1, notes: "The reward climbed." });
    expect(answer("finish with facts")).toMatchObject({
      status: "evaluated",
      hours: 2.1,
      record: { provenance: { pins: { harness: expect.stringMatching(/^[0-9a-f]{12}$/), model: "Qwen/Qwen3-4B" } } },
    });
    expect(answer("behaviors")).toMatchObject([
      { name: "refunds", testVersion: "t1", n: 240, rubric: "Passes when the refund is made." },
    ]);
    // The move of the bar is a point without a metric.
    expect(answer("get_run, points")).toBe(41);
  });

  test("the SDK concludes what the server concludes", () => {
    expect(answer("verdict")).toMatchObject({ candidate: "grpo-1", serving: "base", delta: 21.5, excludesZero: true });
    expect(answer("evals")).toMatchObject([{ name: "refunds" }]);
    expect(answer("dashboard")).toMatchObject({
      verdict: { candidate: "grpo-1", delta: 21.5 },
      train: { method: "GRPO" },
    });
  });

  test("what is deleted is gone", () => {
    expect(answer("purge_agent, dry")).toMatchObject({ deleted: false });
    expect(answer("datasets, none left")).toEqual([]);
  });
});
