import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkOptions, isObject, type Json, pyJson, type Row, textOf, toWire } from "@while/schema";
import { writeFileAtomically, writeSidecar } from "@while/schema/files";
import type { AttemptRecord, Journal, Landed, RunIdentity } from "../engine/journal.ts";
import type { SimulationReport } from "../engine/simulation-report.ts";
import type { Spent } from "../engine/spent.ts";
import type { PlannedTask } from "../engine/task.ts";
import { SimulateError } from "../simulate-error.ts";
import { AppendFile, type Durability } from "./append-file.ts";
import { readLines } from "./read-lines.ts";
import { lockRun } from "./run-lock.ts";

export interface RunDirectoryOptions {
  /** `disk` flushes rows to the disk in batches of 50 ms, and survives the end of the machine. */
  durability?: Durability;
}

const FORMAT = 1;
const FILES = {
  run: "run.json",
  plan: "plan.jsonl",
  rows: "rows.jsonl",
  privileged: "privileged.jsonl",
  attempts: "attempts.jsonl",
  report: "report.json",
  lock: "lock",
} as const;
/** What may grow from one process to the next, where the tasks stay what they are. */
const MAY_GROW: ReadonlySet<string> = new Set(["repeats", "runs", "budget"]);

/**
 * A folder in which a run is written down while it goes on: `simulate(agent, { …, journal: runDirectory("runs/a") })`. The
 * same call after a crash, or after a kill, goes on where the folder ends, and makes the rows that an undisturbed run
 * makes. A run that is whole is not run again.
 *
 * `run.json` says what the run is, `plan.jsonl` its tasks, `rows.jsonl` (with its sidecar) the rows as every reader takes
 * them, `privileged.jsonl` what only a teacher knows (readable by the owner alone), `attempts.jsonl` every try that was
 * lost and what tries used, `report.json` the report.
 *
 * @throws SimulateError, when the run begins: `run_differs` for another run than the folder holds, `run_locked`,
 * `bad_run_directory`
 */
export function runDirectory(path: string, options: RunDirectoryOptions = {}): Journal {
  checkOptions(options, ["durability"], (what, fix) => new SimulateError("bad_option", what, fix));
  return new RunDirectory(path, options);
}

class RunDirectory implements Journal {
  private readonly path: string;
  private readonly options: RunDirectoryOptions;
  private unlock = (): void => {};
  private rows: AppendFile | null = null;
  private privileged: AppendFile | null = null;
  private attempts: AppendFile | null = null;
  private morePlan: AppendFile | null = null;

  constructor(path: string, options: RunDirectoryOptions) {
    this.path = path;
    this.options = options;
  }

  async open(identity: RunIdentity): Promise<Landed> {
    makeFolder(this.path);
    this.unlock = lockRun(this.at("lock"));
    const { agent, systemPromptSha, settings, beside } = identity;
    const now = { format: FORMAT, agent, system_prompt_sha: systemPromptSha, settings: { ...settings } };
    const before = this.readRun();
    if (before !== null) refuseAnother(this.path, before, now);
    await writeFileAtomically(this.at("run"), (file) => file.write(`${JSON.stringify(now, null, 2)}\n`));
    await writeSidecar(this.at("rows"), { ...beside });

    const tasks: PlannedTask[] = [];
    for await (const task of readLines(this.at("plan"))) tasks.push(task as unknown as PlannedTask);
    const { durability = "process" } = this.options;
    // Opening them cuts off what a crash has torn.
    this.rows = new AppendFile(this.at("rows"), { durability });
    this.privileged = new AppendFile(this.at("privileged"), { durability, mode: 0o600 });
    this.attempts = new AppendFile(this.at("attempts"), { durability });
    const blocks = new Map<string, Json>();
    for await (const { rollout_id, privileged } of readLines(this.at("privileged"))) {
      blocks.set(textOf(rollout_id), (privileged ?? null) as Json);
    }
    return {
      tasks: tasks.length > 0 ? tasks : null,
      rows: withBlocks(readLines(this.at("rows")), blocks),
      spent: await spentIn(readLines(this.at("attempts"))),
    };
  }

  async plan(tasks: readonly PlannedTask[]): Promise<void> {
    const lines = tasks.map((task) => `${JSON.stringify(task)}\n`).join("");
    await writeFileAtomically(this.at("plan"), (file) => file.write(lines));
  }

  async extendPlan(tasks: readonly PlannedTask[]): Promise<void> {
    const { durability = "process" } = this.options;
    this.morePlan ??= new AppendFile(this.at("plan"), { durability });
    await Promise.all(tasks.map((task) => this.morePlan!.append(task)));
  }

  async row({ privileged, ...row }: Row): Promise<void> {
    // The block first: a row without it would be taken for one that was never checked.
    await this.privileged!.append({ rollout_id: row.rollout_id, privileged });
    await this.rows!.append(row);
  }

  async attempt(record: AttemptRecord): Promise<void> {
    await this.attempts!.append(record);
  }

  async close(report: SimulationReport): Promise<void> {
    const text = JSON.stringify(toWire(report), null, 2);
    await writeFileAtomically(this.at("report"), (file) => file.write(`${text}\n`));
    await this.abandon();
  }

  async abandon(): Promise<void> {
    const files = [this.rows, this.privileged, this.attempts, this.morePlan];
    [this.rows, this.privileged, this.attempts, this.morePlan] = [null, null, null, null];
    for (const file of files) await file?.close();
    this.unlock();
    this.unlock = () => {};
  }

  private readRun(): Record<string, unknown> | null {
    let text: string;
    try {
      text = readFileSync(this.at("run"), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
    try {
      const run: unknown = JSON.parse(text);
      if (isObject(run) && run.format === FORMAT) return run;
    } catch {
      // Said below, like a document of another kind.
    }
    const fix = "Move the folder away, or name another one.";
    throw new SimulateError("bad_run_directory", `${this.at("run")} is no run of this format.`, fix);
  }

  private at(file: keyof typeof FILES): string {
    return join(this.path, FILES[file]);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw new SimulateError("bad_run_directory", `${path} is a file, or lies in one.`, "Name a folder.", {
      cause: error,
    });
  }
}

async function spentIn(attempts: AsyncIterable<Record<string, unknown>>): Promise<Spent> {
  const spent: Spent = { usd: 0, tokens: 0 };
  for await (const { tokens, cost_usd: usd } of attempts) {
    if (typeof tokens !== "number") continue;
    spent.tokens += tokens;
    spent.usd = spent.usd === null || typeof usd !== "number" ? null : spent.usd + usd;
  }
  return spent;
}

async function* withBlocks(
  rows: AsyncIterable<Record<string, unknown>>,
  blocks: Map<string, Json>,
): AsyncGenerator<Row> {
  for await (const row of rows) {
    const id = textOf(row.rollout_id);
    yield { ...row, privileged: (blocks.get(id) ?? null) as Record<string, unknown> | null };
    blocks.delete(id);
  }
}

/** Rows of two runs in one folder would be one run that never was. */
function refuseAnother(
  path: string,
  before: Record<string, unknown>,
  now: { settings: Record<string, Json> } & Record<string, unknown>,
): void {
  const had = isObject(before.settings) ? before.settings : {};
  const isPinned = now.settings.tasks !== null;
  const differing: string[] = [];
  for (const name of ["agent", "system_prompt_sha"])
    if (before[name] !== now[name]) differing.push(`${name} ${textOf(before[name])}, now ${textOf(now[name])}`);
  for (const [name, value] of Object.entries(now.settings)) {
    const was = (had[name] ?? null) as Json;
    if (pyJson(was, { sortKeys: true }) === pyJson(value, { sortKeys: true })) continue;
    if (isPinned && MAY_GROW.has(name) && Number(value ?? Number.POSITIVE_INFINITY) >= Number(was ?? 0)) continue;
    differing.push(`${name} ${textOf(was) || "not given"}, now ${textOf(value) || "not given"}`);
  }
  if (differing.length === 0) return;
  throw new SimulateError(
    "run_differs",
    `${path} holds another run: ${differing.join("; ")}.`,
    "Call it as it was called, or name another folder. Pinned tasks may get more repeats or runs.",
  );
}
