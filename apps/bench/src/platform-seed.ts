import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Example, SCOPES } from "@while/platform-client/contract";
import { defaultSample } from "@while/platform-client/rules";
import { MersenneTwister } from "@while/stats";
import { sql } from "kysely";
import { migrate } from "../../server/src/db/migrate.ts";
import { type Database, type Db, openPostgres, openSqlite } from "../../server/src/db/open-database.ts";
import type { RunTable } from "../../server/src/db/tables.ts";
import { makeAccount } from "../../server/src/queries/accounts.ts";
import { makeKey } from "../../server/src/queries/keys.ts";
import { storeRows } from "../../server/src/queries/score-rows.ts";
import { storeScores } from "../../server/src/queries/scores.ts";
import { loadSecrets } from "../../server/src/secrets/secrets.ts";
import { isoTime } from "../../server/src/services.ts";
import { readSettings } from "../../server/src/settings.ts";

/** Id of the agent that is made. */
const SEEDED_AGENT = "refund-bot";

const BEHAVIORS = ["refunds", "tone", "refusals", "tool_use", "grounding", "length"];
const RUN_MS = 600_000;
const RUNS_A_COMMIT = 50;
const ROWS_A_CALL = 500;

export interface SeedSizes {
  runs: number;
  /** Points of each run. */
  points: number;
  /** Graded rows behind the newest run and behind the served one. */
  rows: number;
}

export interface Seeded {
  key: string;
  agent: string;
  served: string;
  newest: string;
  /** Ids of the two runs that have rows. */
  runIds: { served: string; newest: string };
}

/** `platform-seed [--data DIR] [--database URL]`: an agent as large as the pages must bear. */
export async function platformSeedCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string", default: "while-data" },
      database: { type: "string" },
      runs: { type: "string", default: "1000" },
      points: { type: "string", default: "1000" },
      rows: { type: "string", default: "20000" },
    },
  });
  const began = performance.now();
  const database =
    values.database === undefined ? openSqlite(join(values.data, "while.db")) : await openPostgres(values.database);
  const sizes = { runs: Number(values.runs), points: Number(values.points), rows: Number(values.rows) };
  const seeded = await seedPlatform(database, values.data, sizes);
  await database.close();
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  process.stdout.write(`${JSON.stringify({ ...seeded, ...sizes, seconds })}\n`);
}

/**
 * Makes the agent in an empty database, through the tables that the server reads: `runs` runs of a version each, with a
 * curve, scored on one to six behaviors, and rows behind the newest and the served one. The same on every machine but
 * for its key.
 *
 * @param data Folder of the pepper that stored keys are hashed with
 */
export async function seedPlatform(database: Database, data: string, sizes: SeedSizes): Promise<Seeded> {
  await migrate(database);
  const { db } = database;
  const secrets = loadSecrets({ data });
  const began = Date.now() - sizes.runs * RUN_MS;
  const account = await makeAccount({ settings: readSettings({}), now: () => began }, db, {
    email: null,
    tier: "full",
  });
  const { key } = await makeKey({ secrets, now: () => began }, db, {
    accountId: account.id,
    kind: "key",
    name: "first key",
    scopes: SCOPES,
  });
  const served = versionOf(Math.floor(sizes.runs * 0.9));
  const newest = versionOf(sizes.runs - 1);
  await seedAgent(db, account.id, { served, at: isoTime(began) });
  for (let from = 0; from < sizes.runs; from += RUNS_A_COMMIT) {
    await db.transaction().execute(async (transaction) => {
      for (let i = from; i < Math.min(sizes.runs, from + RUNS_A_COMMIT); i++) {
        await seedRun(transaction, database.kind, { accountId: account.id, i, at: began + i * RUN_MS, sizes });
      }
    });
  }
  const runIds = { served: runIdOf(served), newest: runIdOf(newest) };
  for (const [id, share] of [
    [runIds.served, 0.71],
    [runIds.newest, 0.76],
  ] as const) {
    const rows = gradedRows(sizes.rows, share);
    const run = await db.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const score = { behavior: "refunds", score: 100 * share, ci: 2.8, n: 5000, testVersion: "t2" };
    await db
      .transaction()
      .execute((transaction) =>
        storeScores(transaction, run, [{ ...score, examples: defaultSample(rows) }], Date.now()),
      );
    for (let offset = 0; offset < rows.length; offset += ROWS_A_CALL) {
      const body = { rows: rows.slice(offset, offset + ROWS_A_CALL), offset, expected: rows.length };
      await storeRows(db, { uid: run.uid, behavior: "refunds" }, body, Date.now());
    }
  }
  return { key, agent: SEEDED_AGENT, served, newest, runIds };
}

const versionOf = (i: number) => `v${i}`;
const runIdOf = (version: string) => `run-${version}`;

async function seedAgent(db: Db, accountId: string, { served, at }: { served: string; at: string }): Promise<void> {
  const of = { account_id: accountId, slug: SEEDED_AGENT };
  await db
    .insertInto("agents")
    .values({
      ...of,
      id: SEEDED_AGENT,
      name: "Refund bot",
      model: "Qwen/Qwen3-4B",
      harness: JSON.stringify({ label: "h7", hash: "bbbb57c3fa98", tools: ["lookup_order", "issue_refund"] }),
      serving: served,
      frontier: JSON.stringify({ name: "the model paid for today", score: 81, costPer1k: 18 }),
      description: null,
      tools: null,
      system_prompt: null,
      created_at: at,
      last_activity_at: at,
      facts: 0,
      verdict: null,
    })
    .execute();
  await db
    .insertInto("behaviors")
    .values(
      BEHAVIORS.map((name, place) => ({
        ...of,
        name,
        place,
        fields: JSON.stringify({
          ...{ testVersion: "t2", n: 5000, noiseFloor: 1.2, contamination: 0, rewardIsJudge: false },
          judge: { name: "judge-2", agreement: 0.86, humanN: 60, lengthBias: 0.08, verified: true },
          rubric: `Passes when ${name} holds to the end of the conversation; fails when it does not.`,
        }),
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
  const days = Array.from({ length: 60 }, (_, i) => ({
    ...of,
    day: isoTime(Date.parse(at) + i * 86_400_000).slice(0, 10),
    version: served,
    replies: 2000 + 37 * (i % 9),
    flagged: 60 + (i % 13),
    p50s: 0.6 + (i % 5) / 20,
    cost_usd: 1.7,
    updated_at: at,
  }));
  await db.insertInto("live_days").values(days).execute();
}

interface SeedRun {
  accountId: string;
  i: number;
  at: number;
  sizes: SeedSizes;
}

async function seedRun(db: Db, kind: Database["kind"], { accountId, i, at, sizes }: SeedRun): Promise<void> {
  const random = new MersenneTwister(i);
  const version = versionOf(i);
  const record = {
    data: { train: `refunds-${i % 7}`, nTrain: 4000, holdout: "refunds-holdout", nHoldout: 5000 },
    optimizer: { lossType: "grpo", lr: 1e-5 * (1 + (i % 4)), seed: i % 3, numGenerations: 8, beta: 0.02 },
    eval: {
      metric: "pass@1",
      k: 4,
      model: "Qwen/Qwen3-4B",
      inputTokens: 2_148_276,
      outputTokens: 120_552,
      replies: 1833,
    },
    provenance: { pins: { prompt: `p${i % 5}`, harness: "bbbb57c3fa98", model: "Qwen/Qwen3-4B" }, commit: `${i}` },
  };
  const run: RunTable = {
    uid: `uid_seed_${accountId}_${i}`,
    account_id: accountId,
    id: runIdOf(version),
    slug: SEEDED_AGENT,
    agent_id: SEEDED_AGENT,
    version,
    name: null,
    base: "Qwen/Qwen3-4B",
    method: i % 5 === 0 ? "SFT" : "GRPO",
    targets: JSON.stringify(["refunds"]),
    trained_on: JSON.stringify([`refunds-${i % 7}`]),
    harness: "h7",
    gpu: "1xH100",
    hours: 1 + (i % 40) / 10,
    seconds: null,
    cost_usd: 12 + (i % 25),
    steps: sizes.points,
    total_steps: sizes.points,
    status: i % 23 === 0 ? "failed" : "evaluated",
    error: i % 23 === 0 ? "out of memory at step 400" : null,
    notes: i % 3 === 0 ? `Seed ${i % 3}, the learning rate doubled on step ${i}.` : null,
    archived: i % 50 === 49 && i < sizes.runs - 1 ? 1 : 0,
    summary: null,
    record: JSON.stringify(record),
    dataset_id: null,
    after_dataset_id: null,
    trainer: null,
    adapter: null,
    config: null,
    seed: record.optimizer?.seed ?? null,
    dismissed: null,
    revision: 1,
    created_at: isoTime(at),
    updated_at: isoTime(at),
  };
  await db.insertInto("runs").values(run).execute();
  await seedPoints(db, kind, run.uid, curve(sizes.points, random));
  const skill = 50 + (25 * i) / sizes.runs;
  const behaviors = i % 10 === 0 ? BEHAVIORS : BEHAVIORS.slice(0, 1 + (i % 2));
  const scores = behaviors.map((behavior, k) => ({
    behavior,
    score: Math.round(10 * Math.min(99, skill + 3 * k + 4 * (random.random() - 0.5))) / 10,
    ci: 2.8,
    n: 5000,
    testVersion: "t2",
  }));
  await storeScores(db, run, scores, at + RUN_MS / 2);
}

/** Points as the JSON texts that are stored, one a step: a reward that grows, with a spike that no thinning may lose. */
function curve(points: number, random: MersenneTwister): string[] {
  return Array.from({ length: points }, (_, step) => {
    const x = step / points;
    const noise = random.random() - 0.5;
    const reward = 0.3 + 0.4 * x + 0.05 * noise;
    return JSON.stringify({
      reward: round(step === Math.floor(points / 3) ? -1 : reward),
      kl: round(0.02 * x + 0.002 * noise),
      loss: round(1.2 - 0.6 * x + 0.08 * noise),
      completion_length: Math.round(180 + 60 * x + 20 * noise),
    });
  });
}

const round = (x: number) => Math.round(1e5 * x) / 1e5;

/** All points of a run in one statement: each database unpacks a JSON list by itself. */
async function seedPoints(db: Db, kind: Database["kind"], uid: string, metrics: readonly string[]): Promise<void> {
  const list = JSON.stringify(metrics);
  const unpacked =
    kind === "sqlite"
      ? sql`select ${uid}, key, 0, value, 1 from json_each(${list})`
      : sql`select ${uid}, place - 1, 0, value, 1
          from json_array_elements_text(cast(${list} as json)) with ordinality as list(value, place)`;
  await sql`insert into run_points (run_uid, step, ts, metrics, revision) ${unpacked}`.execute(db);
}

const WORDS =
  "refund order item customer policy window return label shipping address please agent receipt card bank days".split(
    " ",
  );
const WHYS = ["refunded outside of the window", "did not look the order up", "promised a date", "wrong amount", "rude"];

/** Rows of four answers to each ask, tagged, long enough to be real. */
function gradedRows(n: number, share: number): Example[] {
  const random = new MersenneTwister(Math.round(1000 * share));
  const text = (words: number) =>
    Array.from({ length: words }, () => WORDS[Math.floor(random.random() * WORDS.length)]).join(" ");
  const asks = Array.from({ length: Math.ceil(n / 4) }, (_, i) => {
    const easy = new MersenneTwister(i).random() - 0.5;
    return {
      prompt: `Ask ${i}: please refund order ${4000 + i}. ${"It came broken and late. ".repeat(1 + (i % 9))}`,
      easy,
    };
  });
  return Array.from({ length: n }, (_, k): Example => {
    const { prompt, easy } = asks[Math.floor(k / 4)]!;
    const ok = random.random() < share + 0.5 * easy;
    return {
      ok,
      prompt,
      reply: text(90),
      reference: `Order ${4000 + Math.floor(k / 4)}`,
      ...(ok ? {} : { why: WHYS[Math.floor(random.random() ** 2 * WHYS.length)] as string }),
      score: ok ? 1 : 0,
      tags: {
        difficulty: easy > 0.2 ? "easy" : easy > -0.2 ? "medium" : "hard",
        tool: `tool-${Math.floor(k / 4) % 7}`,
        language: ["en", "de", "fr", "ja"][Math.floor(k / 4) % 4] as string,
        seconds: String(Math.round(3000 * new MersenneTwister(k).random()) / 10),
      },
    };
  });
}
