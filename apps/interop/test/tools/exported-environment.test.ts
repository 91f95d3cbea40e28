import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvironmentOptions } from "@while/export";
import { exportEnvironment, serveEnvironment } from "@while/export/files";
import type { Row } from "@while/schema";
import { afterAll, describe, expect, test } from "vitest";
import { pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const verifiers = pythonTool("verifiers", "verifiers", "verifiers_env");

/** Order 41 is graded, 43 is never finished, and over 44 the grader breaks. */
const ORDERS = ["41", "43", "44"];
const ROWS: Row[] = ORDERS.flatMap((order) =>
  [1, 0].map(
    (reward, i): Row => ({
      scenario_id: `order-${order}`,
      rollout_index: i,
      prompt: `Refund order ${order}.`,
      reward,
      world_state: JSON.stringify({ owed: 18.5 }),
      // What differs from task to task, a column reader would pad with nulls.
      ...(order === "43" ? { faults: { refund: "timeout" } } : {}),
      privileged: { reference: order },
    }),
  ),
);
const COMMON = {
  name: "desk",
  systemPrompt: "You refund orders.",
  tools: [
    {
      type: "function",
      function: {
        name: "refund",
        description: "Pays back.",
        parameters: { type: "object", properties: { order: { type: "string" }, amount: { type: "number" } } },
      },
    },
  ],
  maxTurns: 3,
  holdout: 0,
} as const;

const IN_PYTHON = `
def execute(name, arguments, context):
    state = context["state"]
    state["owed"] -= arguments["amount"]
    return f"paid {arguments['amount']}, owed {state['owed']:.2f}"


def reward(rollout):
    if rollout["info"]["privileged"]["reference"] == "44":
        raise ConnectionError("the judge is gone")
    return 1.0 if rollout["state"]["owed"] == 0 else 0.25
`;
const IN_TYPESCRIPT = `
export function execute(name, { amount }, { state }) {
  state.owed -= amount;
  return \`paid \${amount}, owed \${state.owed.toFixed(2)}\`;
}
export function reward({ state, info }) {
  if (info.privileged.reference === "44") throw new Error("the judge is gone");
  return state.owed === 0 ? 1 : 0.25;
}
`;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function exported(options: Omit<EnvironmentOptions, keyof typeof COMMON>, file: string, text: string) {
  const folder = mkdtempSync(join(tmpdir(), "while-interop-env-"));
  folders.push(folder);
  const out = join(folder, "env");
  const report = await exportEnvironment(ROWS, out, { ...COMMON, ...options });
  writeFileSync(join(out, file), text);
  return { out, report };
}

/** Which order, the reward, what was recorded of it, and the last words. */
const gist = ({ prompt, reward, markers, final_text }: Row) => [
  String(prompt).match(/\d+/)?.[0],
  reward,
  ["n_calls", "truncated", "judge_ok"].map((name) => (markers as Record<string, number>)[name]),
  final_text,
];

/** Rollouts of a task are played side by side, so that either may be the first. */
const gists = (rows: readonly Row[]) => {
  const order = ([task, reward, , text]: ReturnType<typeof gist>) => `${task} ${1 - Number(reward)} ${text}`;
  return rows.map(gist).toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
};

const EXPECTED = [
  ["41", 1, [1, 0, 1], "Done: paid 18.5, owed 0.00"],
  ["41", 0.25, [1, 0, 1], "Done: paid 1.25, owed 17.25"],
  ["43", 0, [3, 1, 1], ""],
  ["43", 0, [3, 1, 1], ""],
  ["44", 0, [1, 0, 0], "Done: paid 1.25, owed 17.25"],
  ["44", 0, [1, 0, 0], "Done: paid 18.5, owed 0.00"],
];

describe.skipIf(verifiers.isMissing)(`an exported environment in ${verifiers.title}`, () => {
  test(
    "with Python functions it is played in the trainer's process",
    async () => {
      const { out, report } = await exported({ reward: "shop:reward", execute: "shop:execute" }, "shop.py", IN_PYTHON);
      expect(report).toMatchObject({ infoAsText: true, tasks: { train: 3 } });
      const folder = await verifiers.write(out, "desk");
      const { rows } = await readLog(verifiers, "verifiers, exported", [join(folder, "results.jsonl")]);
      expect(gists(rows)).toEqual(EXPECTED);
    },
    TIMEOUT_MS,
  );

  test(
    "with functions of an ES module it asks the server, and plays the same",
    async () => {
      const references = { reward: "./world.mjs#reward", execute: "./world.mjs#execute" };
      const { out } = await exported({ runtime: "http", ...references }, "world.mjs", IN_TYPESCRIPT);
      const served = await serveEnvironment(out, { port: 0 });
      try {
        const folder = await verifiers.write(out, "desk", served.url);
        const { rows } = await readLog(verifiers, "verifiers, served", [join(folder, "results.jsonl")]);
        expect(gists(rows)).toEqual(EXPECTED);
      } finally {
        await served.close();
      }
    },
    TIMEOUT_MS,
  );
});
