import { existsSync, statSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { choice } from "../flag-values.ts";
import { agentAt, EXAMPLE_AGENT, type FoundAgent, findAgent, namedAgent } from "../init-evals/find-agent.ts";
import { formatInit, type InitReport } from "../init-evals/init-report.ts";
import { type Project, RUNNERS, type Runner, readProject } from "../init-evals/project.ts";
import { type Scaffold, scaffoldOf } from "../init-evals/scaffold.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface InitFlags {
  agent?: string;
  endpoint?: string;
  runner?: Runner;
  force?: boolean;
  dryRun?: boolean;
}

export const initEvalsVerb: Verb<InitFlags> = {
  name: "init-evals",
  chapter: "loop",
  summary: "an eval of your agent, with a test for CI",
  names: { usage: "[DIR]", least: 0, most: 1 },
  flags: [
    { spec: "--agent <file>", about: "FILE or FILE#EXPORT, where the one found is not it" },
    { spec: "--endpoint <url>", about: "instead: a service that takes POST { message }" },
    choice("--runner <name>", RUNNERS, "vitest where the project has it, else node's own"),
    { spec: "--force", about: "replaces files of an eval that is there" },
    { spec: "--dry-run", about: "says what it would write, and writes nothing" },
  ],
  examples: [
    { line: "wai init-evals", about: "around the agent of this project, or an example" },
    { line: "wai init-evals --endpoint http://localhost:3000/chat", about: "around a service" },
  ],
  exits: [
    [EXIT.holds, "the files are written"],
    [EXIT.failed, "nothing was written: a flag, a folder, a file that is there"],
  ],
  async run(call) {
    const { agent: named, endpoint, runner, force = false, dryRun = false } = call.flags;
    const dir = resolve(call.names[0] ?? ".");
    if (!existsSync(dir) || !statSync(dir).isDirectory()) {
      throw new CliError("bad_arguments", `${call.names[0]} is no folder.`, "Name the folder of a project.");
    }
    const project = readProject(dir);
    const { agent, others } = agentOf(dir, named, endpoint);
    const chosen = runner ?? project.runner;
    const scaffold = await scaffoldOf(project, agent, chosen);
    if (!force) refuseExisting(dir, scaffold);
    const removed = force ? scaffold.stale.filter((path) => existsSync(join(dir, path))) : [];
    if (!dryRun) await write(dir, scaffold, removed);
    const report: InitReport = {
      written: !dryRun,
      agent: describe(agent, project),
      runner: chosen === "node" ? "node --test" : chosen,
      files: scaffold.files.map(({ path, about }) => ({ path, about })),
      removed,
      others,
      records: agent.kind !== "example",
      next: [...(call.names[0] === undefined ? [] : [`cd ${call.names[0]}`]), ...scaffold.next],
    };
    print(call, report, formatInit);
    return EXIT.holds;
  },
};

function agentOf(
  dir: string,
  named: string | undefined,
  endpoint: string | undefined,
): {
  agent: FoundAgent;
  others: string[];
} {
  if (named !== undefined && endpoint !== undefined) {
    throw new CliError("bad_flag", "init-evals got --agent and --endpoint.", "Give one of them.");
  }
  if (named !== undefined) return { agent: namedAgent(dir, named), others: [] };
  if (endpoint !== undefined) return { agent: agentAt(endpoint), others: [] };
  return findAgent(dir) ?? { agent: EXAMPLE_AGENT, others: [] };
}

function describe({ kind, file, export: name, url }: FoundAgent, { hasManifest }: Project): string {
  if (kind === "http") return `the agent behind ${url}`;
  if (kind === "example") {
    return hasManifest ? "an example, as no agent was found (--agent FILE#EXPORT names one)" : "an example";
  }
  return `${name === "default" ? "the default export" : name} of ${file}${kind === "function" ? "" : ` (${kind})`}`;
}

/** Nothing of what somebody wrote is lost, and no half of an eval is left. @throws CliError `directory_exists` */
function refuseExisting(dir: string, { files, stale }: Scaffold): void {
  const there = [...files.map(({ path }) => path), ...stale].filter((path) => existsSync(join(dir, path)));
  if (there.length === 0) return;
  const verb = there.length === 1 ? "is" : "are";
  throw new CliError(
    "directory_exists",
    `${there.join(", ")} ${verb} there already; nothing was written.`,
    "Keep what you have, or replace it with --force.",
  );
}

/** Each file whole or not at all. */
async function write(dir: string, { files }: Scaffold, removed: readonly string[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    const unfinished = `${file}.${process.pid}.tmp`;
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  }
  for (const path of removed) await rm(join(dir, path));
}
