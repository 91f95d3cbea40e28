import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openClient } from "@while/platform-client/files";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { type Platform, startPlatform } from "@while/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, type ServedRequest, startModelServer } from "../../simulate/test/endpoint/model-server.ts";
import { spawnWai, wai } from "./terminal.ts";

/*
 * Two prompts with two models, on a server that answers late, refuses for load and drops connections, and the runs on a
 * platform: what a team does that asks which setup to ship.
 */

const ASKS = 50;
const K = 3;
/** How often a model looks the order up, by what it is told: far apart, as a floor of three runs is wide. */
const RATES: Readonly<Record<string, number>> = {
  "small Be brief.": 0.1,
  "large Be brief.": 0.2,
  "small Look the order up, then answer.": 0.55,
  "large Look the order up, then answer.": 0.98,
};

const VARIANTS = `import { endpointAgent, tool } from "@while/simulate";
const tools = [tool({
  name: "get_order",
  description: "Read an order.",
  parameters: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
})];
const setup = (prompt, instructions, model) => ({
  harness: { label: \`\${prompt}@\${model}\`, model, instructions, tools: ["get_order"] },
  agent: endpointAgent(process.env.MODEL_URL, { model, tools }),
});
const prompts = { short: "Be brief.", rules: "Look the order up, then answer." };
export default Object.entries(prompts).flatMap(([name, text]) => ["small", "large"].map((model) => setup(name, text, model)));
`;
const JUDGE =
  'export default function looked(row) { return row.steps.some(({ tool }) => tool === "get_order") ? 1 : 0; }';

let home: string;
let platform: Platform;
let models: ModelServer;
let env: Record<string, string>;
const at = (name: string) => join(home, name);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "wai-sweep-"));
  mkdirSync(at("node_modules"));
  symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), at("node_modules/@while"));
  writeFileSync(at("variants.mjs"), VARIANTS);
  writeFileSync(at("judge.mjs"), JUDGE);
  const asks = Array.from({ length: ASKS }, (_, n) => ({
    task_id: `t${n}`,
    prompt: `Where is my order A${1000 + n}?`,
  }));
  writeFileSync(at("asks.jsonl"), asks.map((ask) => `${JSON.stringify(ask)}\n`).join(""));
  models = await startModelServer({ latencyMs: [0, 3], limited: 0.02, broken: 0.02, dropped: 0.02, reply: replyOf });
  const log = { info: () => {}, error: (event: string, fields?: unknown) => console.error(event, fields) };
  platform = await startPlatform({ settings: { data: at("data"), port: 0 }, log });
  env = {
    ...{ MODEL_URL: models.url, WHILEAI_API_URL: platform.url, WHILEAI_PLATFORM_URL: platform.url },
    ...{ WHILEAI_API_KEY: platform.firstKey as string, WHILEAI_HOME: at("while") },
  };
});
afterAll(async () => {
  await Promise.all([platform?.stop(), models?.close()]);
  rmSync(home, { recursive: true, force: true });
});

function replyOf({ model, messages, seed = 0 }: ServedRequest) {
  const last = messages.at(-1)!;
  if (last.role === "tool") return { text: `Here it is: ${last.content}` };
  // By the seed of the rollout, as a model draws by its temperature.
  const draw = createHash("sha256").update(`${model} ${seed}`).digest().readUInt32BE() / 2 ** 32;
  if (draw >= RATES[`${model} ${messages[0]!.content}`]!) return { text: "It should be there soon." };
  const order_id = /A\d{4}/.exec(last.content ?? "")![0];
  return { calls: [{ name: "get_order", arguments: JSON.stringify({ order_id }) }] };
}

const sweep = (...flags: string[]) =>
  spawnWai(["sweep", "asks.jsonl", "--variants", "variants.mjs", "--judge", "judge.mjs", "--k", `${K}`, ...flags], {
    cwd: home,
    env,
  });

test("two prompts with two models: one winner, which the platform names too", { timeout: 480_000 }, async () => {
  const swept = await sweep(
    "--noise-runs",
    "3",
    "--graded-by",
    "program",
    "--post",
    "desk",
    "-o",
    "rows.jsonl",
    "--json",
  );
  expect(swept).toMatchObject({ code: 0, stderr: expect.stringContaining("posted: wai verdict desk") });
  const report = JSON.parse(swept.stdout);
  expect(report).toMatchObject({ best: "rules@large", n_asks: ASKS, k: K, noise_runs: 3, behavior: "policy" });
  expect(report.variants.map(({ label, graded_rows }: Record<string, unknown>) => [label, graded_rows])).toEqual([
    ["rules@large", ASKS * K],
    ["rules@small", ASKS * K],
    ["short@large", ASKS * K],
    ["short@small", ASKS * K],
  ]);
  expect(report.attribution).toMatchObject({
    verdict: "harness",
    harnesses: ["rules", "short"],
    models: ["large", "small"],
  });
  // The server refused, failed and dropped, and no rollout was lost of it.
  expect(models.ended.limited).toBeGreaterThan(0);
  expect(models.ended.dropped).toBeGreaterThan(0);
  const { rows } = await readRowFiles([at("rows.jsonl")]);
  expect(rows).toHaveLength(ASKS * K * 6);
  expect(new Set(rows.map(({ harness }: Row) => (harness as { label: string }).label)).size).toBe(4);

  // A run of each setup, with what differs pinned: by prompt and by model they fall into groups.
  const client = openClient({ apiUrl: platform.url, apiKey: platform.firstKey as string, out: null });
  const desk = await client.track("desk", { register: false });
  const runs = await desk.runs();
  const groups = (pin: string) => {
    const grouped = new Map<string, string[]>();
    for (const { version, record } of runs) {
      const pins = (record?.provenance?.pins ?? {}) as Record<string, unknown>;
      const value = String(pins[pin]);
      grouped.set(value, [...(grouped.get(value) ?? []), version ?? ""].sort());
    }
    return Object.fromEntries(grouped);
  };
  expect(groups("prompt")).toEqual({ short: ["short@large", "short@small"], rules: ["rules@large", "rules@small"] });
  expect(groups("model")).toEqual({ small: ["rules@small", "short@small"], large: ["rules@large", "short@large"] });
  expect(new Set(Object.keys(groups("harness"))).size).toBe(4);
  expect(runs.every(({ status, evals }) => status === "evaluated" && evals?.[0]?.n === ASKS)).toBe(true);
  // And the rows behind each score, for a person who wants to read what failed.
  const small = runs.find(({ version }) => version === "short@small")!;
  const kept = await (await desk.open(small.id)).rows("policy");
  expect(kept[0]).toMatchObject({ prompt: "Where is my order A1000?", tags: { task: "t0" } });
  expect([small.evals?.[0]?.rows, kept.some(({ ok }) => !ok)]).toEqual([ASKS * K, true]);

  // What serves is the small one with the short prompt; the verdict is the sweep's.
  await desk.promote("short@small");
  const verdict = await wai(["verdict", "desk", "--version", "rules@large", "--require", "beats"], { env });
  expect(verdict.stdout).toMatch(/^policy: rules@large beats short@small by [\d.]+ ± [\d.]+ points/);
  expect(verdict.code).toBe(0);
  const other = await wai(["verdict", "desk", "--version", "short@large", "--require", "beats"], { env });
  expect(other.code).not.toBe(0);
  await client.close();
});

test("a key that is refused is told before the first rollout", async () => {
  const before = models.requests.length;
  const { code, stderr } = await sweep("--post", "desk", "--api-key", "zp_wrong");
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/^error: .*key/i) });
  expect(models.requests.length).toBe(before);
});

test("what cannot be compared is refused, and the rows that were made are kept", { timeout: 480_000 }, async () => {
  const text = readFileSync(at("judge.mjs"), "utf8");
  const failing = `export default (row) => {
  if (row.harness.label === "short@large" && row.scenario_id === "t7") throw new Error("the judge is away");
  return row.steps.length > 0 ? 1 : 0;
};`;
  writeFileSync(at("judge.mjs"), failing);
  const { code, stderr } = await sweep("--noise-runs", "1", "-o", "kept.jsonl", "--post", "other");
  writeFileSync(at("judge.mjs"), text);
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`1 ask differs, the first is t7 (${K} and 0)`),
  });
  expect((await readRowFiles([at("kept.jsonl")])).rows).toHaveLength(ASKS * K * 2);
  const client = openClient({ apiUrl: platform.url, apiKey: platform.firstKey as string, out: null });
  expect(await (await client.track("other", { register: false })).runs()).toEqual([]);
  await client.close();
});
