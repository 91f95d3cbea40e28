import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run, Tracked, TrainingRun } from "@while/platform-client";
import { openClient, pushFile } from "@while/platform-client/files";
import type { Row } from "@while/schema";
import { publishGate } from "@while/select";
import { type Platform, startPlatform } from "@while/server";
import { afterAll, beforeAll, expect, test } from "vitest";

// The same walk as that of the Python SDK beside this file, by our own client: one line a call, in the same words.

const data = mkdtempSync(join(tmpdir(), "while-client-platform-"));
const steps: { call: string; error: string | null }[] = [];

/** What a call gave, held against what it should; a difference is a line of the table and not the end of the walk. */
async function step<T>(call: string, work: () => Promise<T> | T, wanted?: unknown): Promise<T> {
  try {
    const answer = await work();
    if (wanted !== undefined) expect(answer).toEqual(wanted);
    steps.push({ call, error: null });
    return answer;
  } catch (error) {
    steps.push({ call, error: error instanceof Error ? error.message.slice(0, 500) : String(error) });
    return undefined as T;
  }
}

const ROWS: Row[] = Array.from({ length: 40 }, (_, i) => ({
  schema_version: "1",
  scenario_id: `s${i % 10}`,
  prompt: `Refund order ${i % 10} “née” \u2028`,
  steps: [{ tool: "refund", arguments: { order: i % 10 }, result: "ok" }, { text: "Done." }],
  final_text: `Done ${i}.`,
  reward: (i % 10 < 6 && i % 3 > 0) || i % 10 === 9 ? 1 : 0,
}));
const GRADED = Array.from({ length: 620 }, (_, i) => ({
  ok: i % 4 > 0,
  prompt: `Refund order ${i}`,
  reply: "Done.",
  why: "w",
  tags: { kind: i % 2 ? "a" : "b" },
}));

let platform: Platform;
let session = "";

beforeAll(async () => {
  let code = "";
  const log = {
    info(event: string, fields?: Readonly<Record<string, unknown>>) {
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
  session = (await post("/auth/email/verify", { email: "ada@example.org", code })).session as string;
}, 240_000);
afterAll(async () => {
  await platform?.stop();
  rmSync(data, { recursive: true, force: true });
});

/** A person who reads the code, signed in, and presses Approve. */
async function approve(line: string): Promise<void> {
  const code = /\b[A-Z]{4}-[A-Z]{4}\b/.exec(line)?.[0];
  if (code === undefined) return;
  await fetch(`${platform.url}/device/decide`, {
    method: "POST",
    headers: { authorization: `Bearer ${session}` },
    body: JSON.stringify({ user_code: code, approve: true }),
  });
}

test("every call of the client is answered as it should be", { timeout: 300_000 }, async () => {
  const settings = { apiUrl: platform.url, env: {}, out: null };
  const second = openClient({ ...settings, home: join(data, "second") });
  await step("signup", async () => (await second.signup("grace@example.org", { name: "second" })).tier, "trial");
  await step("account of a trial", async () => (await second.account()).tier, "trial");

  const client = openClient({ ...settings, home: join(data, "home") });
  const login = () => client.login({ name: "node", timeoutS: 60, out: (line: string) => void approve(line) });
  await step("login", async () => (await login()) !== null, true);
  await step("status", async () => (await client.status()).configured, true);
  await step("account", async () => (await client.account()).email, "ada@example.org");
  const delegated = async () => (await client.issueDelegatedCredential(session)).credential.slice(0, 6);
  await step("issue_delegated_credential", delegated, "zp_dc_");

  const gate = (rows: readonly Row[]) => publishGate(rows, { mode: "rl", strict: false });
  const pushed = await step("push_rows", () =>
    client.pushRows(ROWS, "node set", { agent: "Node Bot", mode: "rl", gate }),
  );
  const set = pushed.datasetId;
  const file = join(data, "rows.jsonl");
  writeFileSync(file, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await step(
    "push_file",
    async () => (await pushFile(client, file, { name: "node file", gate: false, home: join(data, "home") })).rows,
    40,
  );
  await step("datasets", async () => (await client.datasets()).datasets.length, 2);
  await step("pull", async () => (await client.pull(set)).length, pushed.rows);
  await step("profile", async () => (await client.profile(set)).graded, pushed.rows);
  await step("preview", async () => (await client.preview(set)).rows.length, 3);
  const changed = async () => (await client.updateDataset(set, { purpose: "eval", description: "changed" })).purpose;
  await step("update_dataset", changed, "eval");
  await step("publish", async () => (await client.publish(set, "Node Bot")).agent, "node-bot");
  await step("catalog", async () => (await client.catalog()).datasets.map(({ datasetId }) => datasetId), [set]);
  await step("unpublish", async () => (await client.unpublish(set)).ok, true);
  await step("delete_empty_datasets", async () => (await client.deleteEmptyDatasets({ dryRun: true })).datasets, []);

  const registered = async () => (await client.registerAgent("Node Bot", { description: "a bot" })).id;
  await step("register_agent", registered, "Node-Bot");
  const bot: Tracked = await step("track", () =>
    client.track("refund bot", {
      model: "Qwen/Qwen3-4B",
      harness: { instructions: "Be brief.", tools: ["refund"], model: "Qwen/Qwen3-4B" },
      frontier: { name: "the model paid for today", score: 81, costPer1k: 18 },
    }),
  );
  await step("agents", async () => (await client.agents()).map(({ id }) => id).sort(), ["Node-Bot", "refund-bot"]);
  await step("behavior", () =>
    bot.behavior("refunds", {
      ...{ testVersion: "t1", n: 240, contamination: 0, rewardIsJudge: false },
      judge: { name: "rubric", agreement: 0.86, humanN: 60, lengthBias: 0.08, verified: true },
    }),
  );
  const rubric = async () => (await bot.behavior("refunds", { rubric: "Passes when the refund is made." })).n;
  await step("behavior, rubric alone", rubric, 240);
  await step("behaviors", async () => (await bot.behaviors()).map(({ name }) => name), ["refunds"]);
  await step("experiment, none yet", () => bot.experiment(), null);
  await step(
    "experiment",
    async () => (await bot.experiment({ question: "Does GRPO help?" })).question,
    "Does GRPO help?",
  );
  await step("experiment, read", async () => (await bot.experiment())?.question, "Does GRPO help?");

  const base: Run = await step("run", () => bot.run("base", { method: "eval", targets: ["refunds"] }));
  const scored = async () =>
    (await base.score("refunds", 0.615, { ci: 0.0375, n: 240, testVersion: "t1", fraction: true, rows: GRADED }))
      ?.score;
  await step("score", scored, 61.5);
  await step(
    "finish",
    async () => (await base.finish("evaluated", { hours: 0.1, costUsd: 1, say: false }))?.hours,
    0.1,
  );
  const grpo: Run = await step("run with a record", () =>
    bot.run("grpo-1", { method: "GRPO", targets: ["refunds"], trainedOn: ["node set"] }),
  );
  for (let i = 0; i < 60; i++) grpo.log(i, { reward: 0.3 + i / 200, kl: 0.001 * i, broken: Number.NaN });
  await step("log and flush", () => grpo.flush(), true);
  const later = async () => (await grpo.score("refunds", 83, { ci: 2.7, n: 240, testVersion: "t1" }))?.score;
  await step("score of a version", later, 83);
  await step("rows, read back", async () => (await base.rows("refunds")).length, 620);
  await step("note", async () => (await grpo.note("The reward climbed."))?.notes, "The reward climbed.");
  const finished = async () => (await grpo.finish("evaluated", { hours: 2.1, costUsd: 31, say: false }))?.status;
  await step("finish with facts", finished, "evaluated");
  await step("runs", async () => (await bot.runs()).map(({ version }) => version), ["grpo-1", "base"]);
  await step("open", async () => (await bot.open(grpo.id)).step, 59);
  const figure = { data: [{ x: [1, 2], y: [0.1, 0.4] }], layout: { title: "Reward" } };
  await step(
    "figure",
    async () => (await bot.figure("reward-by-step", figure, { caption: "c", run: grpo.id })).name,
    "reward-by-step",
  );
  await step("figures", async () => (await bot.figures()).map(({ name }) => name), ["reward-by-step"]);
  await step("promote", async () => (await bot.promote("base")).serving, "base");
  await step("verdict", async () => (await bot.verdict("refunds")).delta, 21.5);
  await step("brief", async () => (await bot.brief()).scored, 2);
  await step("evals", async () => (await bot.evals()).map(({ name }) => name), ["refunds"]);
  await step("dashboard", async () => (await bot.dashboard("refunds")).verdict.candidate, "grpo-1");
  const day = { version: "base", replies: 2400, flagged: 98, p50s: 0.6, costUsd: 1.7 };
  await step("live", async () => (await bot.live("2026-09-17", day)).days, 1);
  await step("fail", async () => (await (await bot.run("broken")).fail("ValueError: boom"))?.status, "failed");
  await step("archive", async () => (await bot.archive(grpo.id)).archived, true);
  await step("unarchive", async () => (await bot.unarchive(grpo.id)).archived, false);

  const trained: TrainingRun = await step("training_run", () =>
    client.trainingRun("tiny sft", { baseModel: "Qwen/Qwen3-4B", totalSteps: 40 }),
  );
  for (let i = 0; i < 40; i++) trained.log(i, { loss: 2 / (i + 1), lr: 1e-4 });
  await step("training_run.progress", () => trained.progress(40, 50));
  await step("training_run.holdout", () => trained.holdout(0.42, 0.58));
  await step("training_run.finish", async () => (await trained.finish("done"))?.status, "done");
  await step("get_run", async () => (await client.getRun(trained.id)).status, "done");
  await step("get_run, points", async () => (await client.getRun(trained.id)).series?.length, 40);
  await step(
    "attach_holdout",
    async () => (await client.attachHoldout(trained.id, { before: 0.4, after: 0.6 })).id,
    trained.id,
  );

  await step("delete_run", async () => (await bot.deleteRun(grpo.id)).deleted, true);
  await step("delete", async () => (await bot.delete()).deleted, true);
  await step("purge_agent, dry", async () => (await client.purgeAgent("Node-Bot", { dryRun: true })).deleted, false);
  await step("purge_agent", async () => (await client.purgeAgent("Node-Bot")).deleted, true);
  await step("delete_dataset", async () => {
    for (const { datasetId } of (await client.datasets()).datasets) await client.deleteDataset(datasetId);
  });
  await step("datasets, none left", async () => (await client.datasets()).datasets, []);
  await step("logout", () => client.logout(), true);
  await client.close();
  await second.close();

  for (const { call, error } of steps)
    console.log(`@while/platform-client  ${call.padEnd(28)}  ${error ?? "same answer"}`);
  expect(steps.filter(({ error }) => error !== null)).toEqual([]);
});
