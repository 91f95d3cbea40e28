import type { ToolSchema } from "@while/schema";
import type { Requirement } from "../formats/requirement.ts";
import type { WireMessage } from "../training-row.ts";
import type { Split } from "./task.ts";

/** A task as grouped trainers take it: what the model is shown, and what a reward function is told. */
export interface GrpoTask {
  /** The rules, where there are some, and the ask. */
  prompt: WireMessage[];
  /** The ask alone. */
  ask: string;
  taskId: string;
  /** "" when the task has none. */
  scenarioId: string;
  /** null under two rewards. */
  passRate: number | null;
  nRollouts: number;
  /** The rest of the task's `info` as one JSON text: nested columns would be padded with nulls. */
  infoJson: string;
  split: Split;
  /** Place in its file, from 0. */
  index: number;
  tools?: readonly ToolSchema[];
  /** Which reward function is asked, where the trainer picks one by name. */
  dataSource: string;
  ability: string;
}

/** How a consumer reads tasks. */
export interface GrpoWriter {
  requires?: readonly Requirement[];
  /** Names that its loader takes, the first is the default. Default: `.jsonl` and `.parquet`. */
  extensions?: readonly string[];
  /** The service wants a second file to validate on. */
  needsHoldout?: true;
  write(task: GrpoTask): Record<string, unknown>;
}
