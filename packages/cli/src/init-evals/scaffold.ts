import { posix } from "node:path";
import { version } from "../version.ts";
import { agentFile, EXAMPLE_AGENT_FILE } from "./agent-file.ts";
import type { FoundAgent } from "./find-agent.ts";
import type { Project, Runner } from "./project.ts";
import { JUDGE_FILE, runFile, testFile } from "./run-files.ts";
import { tasksFile } from "./tasks-file.ts";
import { workflowFile } from "./workflow-file.ts";

/** A file to be written, and what a reader finds in it. */
interface ScaffoldFile {
  /** From the project's folder, with slashes; workflows may lie above it. */
  path: string;
  about: string;
  text: string;
}

export interface Scaffold {
  files: ScaffoldFile[];
  /** Files that belong to an earlier eval, and say nothing of this one. */
  stale: string[];
  /** Commands to type, in this order. */
  next: string[];
}

const FOLDER = "evals";
const PACKAGES = ["@while/cli", "@while/schema", "@while/simulate", "@while/stats", "@while/trust"];

/** Every file of an eval around an agent, as text; nothing is written. */
export async function scaffoldOf(project: Project, agent: FoundAgent, runner: Runner): Promise<Scaffold> {
  const { manager, dependencies, hasManifest, within } = project;
  // Node runs no TypeScript before 22.18; a test runner that does brings its own way.
  const isTyped = agent.file !== null && /\.(?:[cm]?ts|tsx|jsx)$/.test(agent.file);
  const loader = isTyped ? "--import tsx " : "";
  const run = `node ${loader}${FOLDER}/run.mjs`;
  const test =
    runner === "vitest"
      ? `${{ npm: "npx", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" }[manager]} vitest run ${FOLDER}/evals.test.mjs`
      : `node ${loader}--test ${FOLDER}/evals.test.mjs`;
  const needed = [...PACKAGES, ...(isTyped ? ["tsx"] : []), ...(runner === "vitest" ? ["vitest"] : [])].filter(
    (name) => !dependencies.has(name),
  );
  const tasks = await tasksFile(agent);
  const workflows = posix.join(
    ...within
      .split("/")
      .filter(Boolean)
      .map(() => ".."),
    ".github/workflows/evals.yml",
  );
  const files: ScaffoldFile[] = [
    { path: `${FOLDER}/agent.mjs`, about: "how the eval calls your agent", text: agentFile(agent, "../") },
    ...(agent.kind === "example"
      ? [{ path: `${FOLDER}/example-agent.mjs`, about: "an agent to begin with", text: EXAMPLE_AGENT_FILE }]
      : []),
    { path: `${FOLDER}/tasks.jsonl`, about: `${tasks.count} tasks, one a line: add yours`, text: tasks.text },
    { path: `${FOLDER}/judge.mjs`, about: "what a pass is", text: JUDGE_FILE },
    { path: `${FOLDER}/run.mjs`, about: "runs and grades them", text: runFile(run) },
    { path: `${FOLDER}/evals.test.mjs`, about: "the CI test", text: testFile(runner, run) },
    { path: `${FOLDER}/.gitignore`, about: "leaves the rows of each run out", text: "out/\n" },
    { path: workflows, about: "runs the test on every push", text: workflowFile(project, agent, test) },
    ...(hasManifest ? [] : [{ path: "package.json", about: "what it needs", text: manifest(test, needed) }]),
  ];
  const install = hasManifest ? ADD[manager](needed.map(pinned)) : `${manager} install`;
  return {
    files,
    stale: [`${FOLDER}/baseline.jsonl`],
    next: [...(needed.length === 0 ? [] : [install]), test],
  };
}

const ADD = {
  npm: (names: readonly string[]) => `npm install --save-dev ${names.join(" ")}`,
  pnpm: (names: readonly string[]) => `pnpm add -D ${names.join(" ")}`,
  yarn: (names: readonly string[]) => `yarn add -D ${names.join(" ")}`,
  bun: (names: readonly string[]) => `bun add -d ${names.join(" ")}`,
};

/** Ours in the version that wrote these files, others in their newest. */
function pinned(name: string): string {
  return name.startsWith("@while/") ? `${name}@^${version()}` : name;
}

function manifest(test: string, needed: readonly string[]): string {
  const devDependencies = Object.fromEntries(
    needed.map((name) => [name, name.startsWith("@while/") ? `^${version()}` : "*"]),
  );
  return `${JSON.stringify({ private: true, type: "module", scripts: { test }, devDependencies }, null, 2)}\n`;
}
