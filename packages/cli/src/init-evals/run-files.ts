import type { Runner } from "./project.ts";

/** `evals/judge.mjs`: what a pass is. */
export const JUDGE_FILE = `// What a pass is. Change it: everything the eval says rests on this file.
import { expectationVerdict } from "@while/simulate";
import { conductGrade } from "@while/trust";

export function judgeOf(tasks) {
  const expected = new Map(tasks.map(({ task_id, expect }) => [task_id, expect]));
  return function judge(row) {
    const verdict = expectationVerdict(row, expected.get(row.scenario_id));
    // Honest conduct is judged by the calls: an agent that shows none is not held to have made none.
    if (verdict.reward === 0 || !row.steps.some(({ tool }) => tool)) return verdict;
    const conduct = conductGrade(row);
    return { reward: conduct.reward === 1 ? 1 : 0, reason: conduct.reason };
  };
}
`;

/** `evals/run.mjs`: runs the agent over the tasks. */
export function runFile(command: string): string {
  return `// Runs the agent over tasks.jsonl and grades every rollout.
//   ${command}            rows in out/rows.jsonl, and how often it passes
//   ${command} --record   what the agent does now is what later runs are held against
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeJsonl } from "@while/schema/files";
import { recordExpectations, simulate } from "@while/simulate";
import { formatPassAt, passAt } from "@while/stats";
import { agent } from "./agent.mjs";
import { judgeOf } from "./judge.mjs";

/** Rollouts of each task: a model does not answer twice alike. */
const REPEATS = 3;

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const readLines = (name) => readFileSync(path(name), "utf8").split("\\n").filter(Boolean).map((line) => JSON.parse(line));

function readTasks() {
  const tasks = readLines("tasks.jsonl");
  const twice = tasks.find(({ task_id }, at) => tasks.findIndex((task) => task.task_id === task_id) !== at);
  if (twice !== undefined) throw new Error(\`tasks.jsonl has two tasks \${twice.task_id}: give each an id of its own.\`);
  return tasks;
}

/** One run of every task, graded. */
export async function runEvals(tasks = readTasks()) {
  const data = await simulate(agent, {
    ...{ tasks, repeats: REPEATS, concurrency: 4, rolloutTimeoutMs: 120_000 },
    ...{ modelVersion: "agent", grader: judgeOf(tasks) },
  });
  mkdirSync(path("out"), { recursive: true });
  await writeJsonl(path("out/rows.jsonl"), data.rows);
  return data;
}

/** Rows of the run that later ones are held against; null before there is one. */
export function baseline() {
  return existsSync(path("baseline.jsonl")) ? readLines("baseline.jsonl") : null;
}

/**
 * Writes what the agent does now into tasks.jsonl, for tasks that expect nothing yet, and then a baseline. Two runs: the
 * one that the expectations come from meets them by construction, so its pass rate would say nothing.
 */
export async function record() {
  const tasks = readTasks();
  if (tasks.some(({ expect }) => expect === undefined)) {
    const { rows } = working(await runEvals(tasks));
    const recorded = recordExpectations(rows);
    const told = tasks.map((task) => ({ ...task, expect: task.expect ?? recorded.get(task.task_id) ?? {} }));
    writeFileSync(path("tasks.jsonl"), told.map((task) => \`\${JSON.stringify(task)}\\n\`).join(""));
  }
  const { rows } = working(await runEvals());
  await writeJsonl(path("baseline.jsonl"), rows);
  return rows;
}

/** The run itself, where the agent worked: one without its key, or that cannot be reached, is no baseline. */
function working(data) {
  const { stoppedBecause, rolloutsLost, firstAgentError } = data.report;
  if (stoppedBecause === "tasks_done" && rolloutsLost === 0) return data;
  const why = firstAgentError ?? \`\${rolloutsLost} rollouts never came back: is the agent running?\`;
  throw new Error(\`Nothing was recorded, as the run ended with \${stoppedBecause}: \${why}\`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isRecording = process.argv.includes("--record");
  const rows = isRecording ? await record() : (await runEvals()).rows;
  for (const { scenario_id, reward, reason } of rows) if (reward !== 1) console.log(\`\${scenario_id}: \${reason}\`);
  console.log(formatPassAt(passAt(rows)));
  if (isRecording) console.log("Recorded in tasks.jsonl and baseline.jsonl. Read what is expected, then commit both.");
}
`;
}

/** `evals/evals.test.mjs`: red when the agent is worse than its baseline. */
export function testFile(runner: Runner, command: string): string {
  const head =
    runner === "vitest"
      ? 'import assert from "node:assert/strict";\nimport { test } from "vitest";'
      : 'import assert from "node:assert/strict";\nimport { test } from "node:test";';
  const options = runner === "vitest" ? ", TIMEOUT_MS" : "";
  const timeout = runner === "vitest" ? "" : ", { timeout: TIMEOUT_MS }";
  return `// The CI test: red when the agent is worse than it was in baseline.jsonl. A model's calls may take minutes.
${head}
import { groupByTask } from "@while/schema";
import { deltaReport, formatDeltaReport } from "@while/stats";
import { baseline, record, runEvals } from "./run.mjs";

const TIMEOUT_MS = 20 * 60_000;
const RECORD = ${JSON.stringify(`${command} --record`)};

test("the agent is no worse than its baseline"${timeout}, async () => {
  if (baseline() === null) {
    assert.ok(!process.env.CI, \`There is no evals/baseline.jsonl. Run \${RECORD} and commit what it writes.\`);
    await record();
  }
  const before = baseline();
  const { rows, report } = await runEvals();

  const { stoppedBecause, rolloutsLost, firstAgentError } = report;
  const lost = \`\${rolloutsLost} rollouts never came back: is the agent running?\`;
  assert.equal(stoppedBecause, "tasks_done", \`The run ended with \${stoppedBecause}: \${firstAgentError ?? lost}\`);
  assert.equal(rolloutsLost, 0, lost);
  assert.deepEqual(
    [...passesByTask(rows).keys()].sort(),
    [...passesByTask(before).keys()].sort(),
    \`The tasks are not those of the baseline. Run \${RECORD}.\`,
  );

  // A task that always passed and now never does, whatever the others say: by luck once in 64 runs, for a task that passes
  // half the time, and less for any other.
  const was = passesByTask(before);
  const broken = [...passesByTask(rows)].filter(([task, now]) => now.every((one) => !one) && was.get(task).every(Boolean));
  const why = broken.map(([task]) => \`\${task}: \${rows.find((row) => row.scenario_id === task).reason}\`);
  assert.equal(why.length, 0, \`Tasks that always passed and now never do:\\n  \${why.join("\\n  ")}\`);

  // And a drop that is spread over tasks: the interval over paired tasks says whether it is more than luck.
  const delta = deltaReport(before, rows, { target: "pass_at_1" });
  assert.notEqual(delta.headline, "FAIL", formatDeltaReport(delta));
}${options});

function passesByTask(rows) {
  return new Map([...groupByTask(rows).groups].map(([task, own]) => [task, own.map(({ reward }) => reward === 1)]));
}
`;
}
