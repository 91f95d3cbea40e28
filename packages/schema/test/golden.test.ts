import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  attachLabels,
  behaviorSignature,
  behaviorText,
  calibrationOf,
  compareCodePoints,
  conversation,
  detectShape,
  exportRow,
  fingerprint,
  formatFixed,
  formatPercent,
  formatSigned,
  fromMessages,
  fromRow,
  goldKindOf,
  type Harness,
  holdoutBucket,
  leakReport,
  loadSpec,
  type Message,
  type Row,
  type RowKind,
  rolloutIdOf,
  roundHalfEven,
  rowKey,
  scenarioIdOfPrompt,
  sha256Hex,
  specBehaviors,
  splitHoldout,
  systemPromptStamp,
  taskIdOfPrompt,
  taskKey,
  toolFault,
  toRow,
  toWire,
  validateRow,
} from "../src/index.ts";

interface Case {
  id: string;
  fn: string;
  input: never;
  expected: unknown;
  tolerance?: number | null;
  how: string;
}

type Rounding = { x: number; digits: number };
type Split = { rows: Row[]; fraction: number };
type Ids = { taskPrompt: string; rollout: unknown[]; rolloutNoModel: unknown[]; scenarioFromPrompt: string };

/** What a case's `fn` calls, in the words of its table. */
const CALLS: Record<string, (input: never) => unknown> = {
  // numbers.json
  roundHalfEven: ({ x, digits }: Rounding) => roundHalfEven(x, digits),
  formatFixed: ({ x, digits }: Rounding) => formatFixed(x, digits),
  formatSigned: ({ x, digits }: Rounding) => formatSigned(x, digits),
  formatPercent: ({ x, digits }: Rounding) => formatPercent(x, digits),
  sortKeys: ({ keys }: { keys: string[] }) => keys.toSorted(compareCodePoints),
  taskKey: ({ row }: { row: Row }) => taskKey(row),
  // tasks.json
  holdoutBucket: ({ keys }: { keys: string[] }) => keys.map(holdoutBucket),
  splitHoldout: ({ rows, fraction }: Split) => splitHoldout(rows, fraction),
  behaviorSignature: ({ rows }: { rows: Row[] }) =>
    rows.map((row) => ({ payload: behaviorText(row), signature: behaviorSignature(row) })),
  traceFault: ({ rows }: { rows: Row[] }) => rows.map(firstFault),
  // leaks.json
  leakReport: ({ rows }: { rows: Row[] }) => toWire(leakReport(rows, { rules: "v1" })),
  // rows.json
  validateRow: ({ rows, kind = "row" }: { rows: unknown[]; kind?: RowKind }) =>
    rows.map((row) => validateRow(row, { kind })),
  detectShape: (rows: unknown[]) => rows.map(detectShape),
  taskKeys: (rows: Row[]) => rows.map(taskKey),
  rowKey: (rows: Row[]) => rows.map(rowKey),
  derivedIds: ({
    taskPrompt,
    rollout,
    rolloutNoModel,
    scenarioFromPrompt,
    ...input
  }: Ids & { systemPrompt: string }) => ({
    task: taskIdOfPrompt(taskPrompt),
    rollout: compatRolloutId(rollout),
    rolloutNoModel: compatRolloutId(rolloutNoModel),
    scenario: scenarioIdOfPrompt(scenarioFromPrompt),
    systemSha: systemPromptStamp(input.systemPrompt).sha,
    systemChars: systemPromptStamp(input.systemPrompt).chars,
  }),
  conversation,
  fromMessages: (messages: Message[]) => fromMessages(messages),
  calibrationOf: (rows: Row[]) => rows.map(calibrationOf),
  exportRow: ({ row }: { row: Row }) => exportRow(row),
  toolFault: (results: unknown[]) => results.map(toolFault),
  // typed.json
  typedView,
  // spec.json
  loadSpec: (input: object) => {
    const spec = loadSpec(input);
    return { ...spec, behaviors: specBehaviors(spec) };
  },
  // harness.json
  fingerprint: (harnesses: Harness[]) => harnesses.map(fingerprint),
  // labels.json
  attachLabels: labelled,
  goldKindOf: (kinds: (string | null)[][]) => kinds.map(goldKindOf),
  holdoutHex: ({ keys }: { keys: string[] }) => ({
    hex8: keys.map((key) => sha256Hex(key).slice(0, 8)),
    bucket_s7: holdoutBucket("s7"),
    "held_at_0.2": heldTasks(keys, 0.2),
    "held_at_0.5": heldTasks(keys, 0.5),
  }),
};

/** Cases hold the keys that matter; these functions return nothing else, so theirs are compared whole. */
const WHOLE = new Set(["conversation", "exportRow"]);

const N_CASES = { numbers: 37, tasks: 8, leaks: 1, rows: 18, typed: 1, labels: 3, spec: 3, harness: 1 };

describe.each(Object.entries(N_CASES))("golden %s", (table, nCases) => {
  const cases: Case[] = JSON.parse(readFileSync(new URL(`golden/${table}.json`, import.meta.url), "utf8"));

  test(`has ${nCases} cases`, () => expect(cases).toHaveLength(nCases));

  test.each(cases.map((item) => [item.id, item] as const))("%s", (_id, { fn, input, expected, tolerance }) => {
    const call = CALLS[fn]!;
    if (fn === "splitHoldout") expectSplit(input, expected as Record<string, unknown>);
    else if (tolerance) expectNear(call(input) as number[], expected as number[], tolerance);
    else if (WHOLE.has(fn) || typeof expected !== "object") expect(call(input)).toEqual(expected);
    else expect({ is: call(input) }).toMatchObject({ is: expected });
  });
});

function expectNear(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, number] of expected.entries()) expect(Math.abs(found[i]! - number)).toBeLessThanOrEqual(tolerance);
}

function expectSplit({ rows, fraction }: Split, expected: Record<string, unknown>): void {
  if (typeof expected.error === "string") {
    expect(() => splitHoldout(rows, fraction)).toThrow(expected.error);
    return;
  }
  const { train, holdout } = splitHoldout(rows, fraction);
  const held = new Set(holdout.map(taskKey));
  const found: Record<string, unknown> = {
    held_tasks: [...held],
    n_train: train.length,
    n_held: holdout.length,
    keys: rows.map(taskKey),
    held: rows.map((row) => held.has(taskKey(row))),
  };
  expect(found).toMatchObject(expected);
}

function heldTasks(keys: readonly string[], fraction: number): string[] {
  const rows = keys.map((key) => ({ task_id: key }));
  return splitHoldout(rows, fraction).holdout.map(taskKey);
}

function compatRolloutId([task, index, model]: unknown[]): string {
  return rolloutIdOf(
    { task_id: String(task), rollout_index: Number(index), model_version: String(model) },
    { compat: true },
  );
}

function typedView(row: Row): unknown {
  const { task, rollout, judgments, markers } = fromRow(row);
  const back = toRow({ task, rollout, judgments, markers });
  return {
    taskId: task.taskId,
    rolloutId_is_derived: rollout.extra.origin?.derived.includes(rollout.rolloutId),
    judgments,
    markers,
    roundTripKeys: Object.keys(back).toSorted(compareCodePoints),
    roundTripTaskKey: taskKey(back),
  };
}

function labelled({
  rows,
  labels,
  options,
}: {
  rows: Row[];
  labels: Record<string, unknown>[];
  options: object;
}): unknown {
  const { rows: labeled, report } = attachLabels(rows, labels, options);
  return {
    gold_reward: labeled.map(({ gold_reward }) => gold_reward ?? null),
    gold_kind: labeled.map(({ gold_kind }) => gold_kind ?? null),
    report: toWire(report),
  };
}

/** The first fault among a row's results; where no result was seen, its plan, as the selector reads it. */
function firstFault({ steps, faults }: Row): string {
  const results = (steps ?? []).filter(({ result }) => result !== undefined);
  const planned = Object.values(faults ?? {}).map((fault) => ({ status: (fault as { mode: string }).mode }));
  const faultsFound = (results.length > 0 ? results.map(({ result }) => result) : planned).map(toolFault);
  return faultsFound.find((fault) => fault !== "") ?? "no fault";
}
