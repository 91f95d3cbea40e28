import type { Json, Row } from "@while/schema";
import type { SimulationReport } from "./simulation-report.ts";
import type { Spent } from "./spent.ts";
import type { PlannedTask } from "./task.ts";

/** What a run is: two runs with the same identity are one run. */
export interface RunIdentity {
  runId: string;
  agent: string;
  systemPromptSha: string;
  /** Everything that rows hang on, by option name. */
  settings: Readonly<Record<string, Json>>;
  /** What the rows do not hold themselves: rules by their sha, tools, mode. */
  beside: Readonly<Record<string, Json>>;
}

/** What an earlier process left of this run. */
export interface Landed {
  /** null before there is a plan. */
  tasks: readonly PlannedTask[] | null;
  /** With their privileged blocks. */
  rows: AsyncIterable<Row> | Iterable<Row>;
  /** What its calls of models used; left out by a journal that does not keep count. */
  spent?: Spent;
}

/** One try of one rollout. */
export interface AttemptRecord {
  rollout_id: string;
  attempt: number;
  outcome: "row" | "lost";
  reason?: string;
  detail?: string;
  /** What its calls of models used, where it made some: a budget holds over several processes. */
  tokens?: number;
  cost_usd?: number | null;
}

/**
 * Where a run is written down while it goes on. Every call resolves when what it was given would survive the end of the
 * process; a row counts as landed only then.
 */
export interface Journal {
  open(identity: RunIdentity): Promise<Landed>;
  plan(tasks: readonly PlannedTask[]): Promise<void>;
  /** Tasks that a search found behind those of the plan. */
  extendPlan(tasks: readonly PlannedTask[]): Promise<void>;
  row(row: Row): Promise<void>;
  attempt(record: AttemptRecord): Promise<void>;
  close(report: SimulationReport): Promise<void>;
  /** Lets go of the run without its end: what has landed stays. */
  abandon(): Promise<void>;
}
