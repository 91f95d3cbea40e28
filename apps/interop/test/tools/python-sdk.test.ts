import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  behaviorSignature,
  fingerprint,
  type Harness,
  harnessVersion,
  type Row,
  rowKey,
  specVersion,
  splitHoldout,
  stageOf,
  taskIdOfPrompt,
  taskKey,
} from "@while/schema";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { passAt } from "@while/stats";
import { beforeAll, describe, expect, test } from "vitest";
import { pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const sdk = pythonTool("whileai", "whileai");

/** Rows of every shape that a file of ours may hold; forty tasks, so that a split has two sides. */
const ROWS: readonly Row[] = [
  {
    schema_version: "1",
    scenario_id: "née/“Été” 🙂",
    rollout_index: 0,
    prompt: "Rembourse “Été” 42, 日本 🙂\u2028and a line",
    steps: [
      {
        tool: "refund",
        arguments: { order: "42", amount: 12.5, id: "9007199254740993" },
        result: { ok: true, n: null },
      },
      { user: "Sure?" },
      { tool: "refund", arguments: {}, result: "error: the ledger is closed" },
      { text: "Done." },
    ],
    final_text: "Done.",
    reward: 1,
    markers: { polite: 0.25 },
    stage: "eval",
    lineage: { source: "grade", run: { id: "18446744073709551617" } },
    unknown: { deep: [{ key: null, small: 1e-7, text: "\u0000\u001f\u007f" }, []], "": 0 },
  },
  {
    schema_version: "1",
    scenario_id: "née/“Été” 🙂",
    rollout_index: 1,
    prompt: "Rembourse “Été” 42, 日本 🙂\u2028and a line",
    steps: [],
    final_text: "No.",
    reward: 0,
  },
  { schema_version: "1", task_id: "9007199254740993", prompt: "two", steps: [], final_text: "x", rollout_id: "r3" },
  { schema_version: "1", prompt: "three", steps: [], final_text: "partly", reward: 0.5, lineage: { source: "eval" } },
  {
    schema_version: "1",
    scenario_id: "chat",
    rollout_id: "r5",
    prompt: "four",
    steps: [{ text: "I will ask." }],
    messages: [
      { role: "user", content: "four" },
      { role: "assistant", content: "I will ask.", refusal: null },
    ],
    final_text: "I will ask.",
    group_id: "g",
    judge_meta: { rating: 4, scale: [1, 5] },
    privileged: { reference: "x", hidden_state: { a: 1 } },
  },
  ...Array.from({ length: 80 }, (_, i): Row => {
    const task = Math.floor(i / 2);
    return {
      schema_version: "1",
      scenario_id: `order-${task}`,
      rollout_index: i % 2,
      prompt: `Refund order ${task}.`,
      steps: [{ tool: "refund", arguments: { order: String(task) }, result: "refunded" }],
      final_text: `Done: ${task}`,
      reward: i % 3 === 0 ? 0 : 1,
    };
  }),
];

const SPECS = [
  { id: "clerk", traits: [{ id: "kind", name: "Kind", principle: "Sois aimable, née “Été” 🙂.", authority: "must" }] },
  { id: "", traits: ["Never guess."] },
];
const HARNESSES: readonly Harness[] = [
  { model: "clerk-1", instructions: "You refund orders, née “Été” 🙂.", label: "summer" },
  { instructions: "x", tools: ["refund", "ask"], disclosure: { max_turns: 4, sampling: { temperature: 0.5 } } },
  {},
];
const PROMPTS = ["Refund order 42.", "née “Été” 🙂", " two  spaces "];
const HOLDOUT = 0.25;

interface Answers {
  task_keys: string[];
  stages: (string | null)[];
  problems: string[][];
  signatures: string[];
  landed: number[][];
  spec_versions: string[];
  fingerprints: string[];
  versions: string[];
  prompted: string;
  task_ids: string[];
  pass_at: { pass_at_1: number; n_groups: number; n_rows: number; per_task: Record<string, number> };
}

describe.skipIf(sdk.isMissing)(`the Python SDK, ${sdk.title}`, () => {
  let folder: string;
  let answers: Answers;
  let read: readonly Row[];

  beforeAll(async () => {
    const ours = mkdtempSync(join(tmpdir(), "while-interop-"));
    const rows = join(ours, "rows.jsonl");
    const questions = join(ours, "questions.json");
    await writeJsonl(rows, ROWS);
    read = (await readRowFiles([rows])).rows;
    const asked = {
      row_keys: read.map(rowKey),
      specs: SPECS,
      harnesses: HARNESSES,
      prompts: PROMPTS,
      holdout: HOLDOUT,
    };
    writeFileSync(questions, JSON.stringify(asked));
    folder = await sdk.write(rows, questions);
    rmSync(ours, { recursive: true });
    answers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8"));
  }, TIMEOUT_MS);

  const written = async (name: string) => (await readLog(sdk, `Python SDK, ${name}`, [join(folder, name)])).rows;

  test("finds no fault in a row of ours", () => {
    expect(answers.problems).toEqual(read.map(() => []));
  });

  test("counts the same tasks: task_key is taskKey", () => {
    expect(answers.task_keys).toEqual(read.map(taskKey));
    expect(new Set(answers.task_keys).size).toBe(44);
  });

  test("calls every row what we call it; row_key is not public, but attach_labels writes a label under our rowKey on that row alone", () => {
    expect(answers.landed).toEqual(read.map((_, i) => [i]));
  });

  test("holds out the same rows: push_rows(holdout=0.25) is splitHoldout(rows, 0.25)", async () => {
    const { train, holdout } = splitHoldout(read, HOLDOUT);
    expect(holdout.length).toBeGreaterThan(0);
    expect(await written("pushed-set.jsonl")).toEqual(train);
    expect(await written("pushed-set-holdout.jsonl")).toEqual(holdout);
  });

  test("hashes alike: behavior_signature, spec_version, the fingerprint and version of a harness, the task_id of a prompt", () => {
    expect(answers.signatures).toEqual(read.map(behaviorSignature));
    expect(answers.spec_versions).toEqual(SPECS.map((spec) => specVersion(spec)));
    expect(answers.fingerprints).toEqual(HARNESSES.map(fingerprint));
    expect(answers.versions).toEqual(HARNESSES.map(harnessVersion));
    // Its other Harness, the one that runs, discloses what kind it is.
    const prompted = { model: "clerk-1", instructions: "x", disclosure: { kind: "prompted" } };
    expect(answers.prompted).toBe(fingerprint(prompted));
    expect(answers.task_ids).toEqual(PROMPTS.map(taskIdOfPrompt));
  });

  test("stage_of is stageOf", () => {
    expect(answers.stages).toEqual(read.map(stageOf));
  });

  test("pass_at counts the same: pass@1, tasks and rows", () => {
    const ours = passAt(read);
    expect(answers.pass_at.pass_at_1).toBeCloseTo(ours.passAt1!, 12);
    expect(answers.pass_at).toMatchObject({ n_groups: ours.nGroups, n_rows: ours.nRows });
  });

  test("ScoredData.save writes rows that we read as they were, unknown fields among them", async () => {
    expect(await written("saved.jsonl")).toEqual(read);
  });

  test("load_traces keeps every field of a row of ours, but for the partial reward that it says it drops", async () => {
    const expected = read.map(({ reward, ...row }) =>
      reward === 0.5 ? row : { ...row, ...(reward === undefined ? {} : { reward }) },
    );
    expect(await written("loaded.jsonl")).toEqual(expected);
  });

  test("from_row and to_row keep unknown fields, and the task where a row has a scenario_id", async () => {
    const typed = await written("typed.jsonl");
    expect(typed).toHaveLength(read.length);
    for (const [i, row] of typed.entries()) {
      const before = read[i]!;
      expect(row.unknown).toEqual(before.unknown);
      expect(row).toMatchObject({ prompt: before.prompt, final_text: before.final_text });
      if (before.scenario_id !== undefined) expect(taskKey(row)).toBe(taskKey(before));
    }
  });
});
