import type { Carry } from "../arrow/columns.ts";
import type { KtoWriter } from "../kto/kto-reply.ts";
import type { MaskMode } from "../mask/loss-mask.ts";
import type { PreferenceWriter } from "../preference/wire-pair.ts";
import type { ExportReport, ExportWarning } from "../report/export-report.ts";
import type { ArgumentEncoding } from "../roundtrip/roundtrip-check.ts";
import type { GrpoWriter } from "../tasks/grpo-task.ts";
import type { TrainingRow } from "../training-row.ts";
import type { TrlVersion } from "../trl/trl-version.ts";
import type { FormatCount, FormatCounts } from "./format-counts.ts";
import type { Requirement } from "./requirement.ts";

/**
 * Who decides which messages train: `own` the file itself says so, `default` the trainer does just that by itself, `set`
 * a setting of the trainer does (it is listed under `requires`), `no` it cannot be done.
 */
export type MaskSupport = "own" | "default" | "set" | "no";

/** What a row is for: supervised tuning, pairs, single judged replies, pairs for a reward model, tasks for RL. */
export type RowKind = "sft" | "preference" | "kto" | "reward-model" | "grpo";

/** The choices of an export that a format reads. */
export interface FormatSettings {
  maskMode: MaskMode;
  unroll: boolean;
  trlVersion: TrlVersion;
  /** Tool-call arguments as objects or as JSON text. */
  argumentsAs: "object" | "string";
  /** The `tools` column as a list or as JSON text. */
  toolsAs: "list" | "string";
  /** Copied on each row. */
  chatTemplateKwargs: Readonly<Record<string, unknown>> | null;
  /** What a person is made to say first where the agent opens; null leaves such rows refused. */
  prependUser: string | null;
  /** Calls and schemas in the text, for clients that refuse structured ones. */
  inlineTools: boolean;
  /** The chat template of that model; null when not given. */
  template: string | null;
  /** The model that is going to be tuned, by name; null when not said. */
  baseModel: string | null;
  /** What the caller says about the trainer's settings. */
  trainerConfig: Readonly<Record<string, unknown>>;
}

/** A row in the shape of its consumer, and what its trainer will take loss on. */
export interface FormatRow {
  row: Record<string, unknown>;
  trainedMessages: number;
  maskedMessages: number;
  /** Messages cut behind the last one that the shape can hold. */
  trailingMessages: number;
  /** What the format's own counters grow by. */
  counts?: FormatCounts;
}

/** A row that the consumer would pass over, and the counter that says so. */
export interface DroppedRow {
  dropped: keyof FormatCounts;
}

/** One consumer: what it can express, what it must be told, and how a training row is written for it. */
export interface FormatSpec {
  name: string;
  /** Other names for the same rows. */
  aliases?: readonly string[];
  /** What kinds of rows it writes: those it has a writer for. */
  kinds: readonly RowKind[];
  /** How arguments are spelled; `argumentsAs` may change it where the format takes both. */
  encoding: ArgumentEncoding;
  /** Calls do not stand in the row as `tool_calls`, so they are read back before they are written. */
  rewritesCalls?: true;
  /** Per mask mode; a mask of single turns needs `own` under `assistant`. */
  masks: { assistant: MaskSupport; final: MaskSupport; unroll: MaskSupport };
  /** Options of the export that this format reads, by name; others are refused. */
  options: readonly (keyof FormatSettings)[];
  /** Default of `carry`. */
  carry: Carry;
  /** The columns are all that the consumer takes, so that `carry` is refused. */
  fixedColumns?: true;
  /** The columns that the consumer reads. */
  columns: readonly string[];
  /** How the consumer treats two calls in one turn: as two, or as its chat template does. */
  parallelCalls: "yes" | "template";
  /** Where the rules above were read. */
  sources: readonly string[];
  /** What trains, as a sentence. */
  maskSentence(settings: FormatSettings): string;
  requires(settings: FormatSettings): Requirement[];
  /** What this format counts beside what all do. */
  counts?: readonly FormatCount[];
  /** Calls stand in the text in this dialect. */
  inline?(settings: FormatSettings): "hermes" | null;
  /** What to know about the written file that `requires` does not say. */
  warns?(report: Readonly<ExportReport>, settings: FormatSettings): ExportWarning[];
  /** The entry of `dataset_info.json` under which the trainer finds a file of this name. */
  infoEntry?(kind: RowKind, file: string): Record<string, unknown>;
  /** Supervised rows; null when the row has no turn that this shape can train. */
  writeSft?(row: TrainingRow, settings: FormatSettings): FormatRow | DroppedRow | null;
  /** How it reads pairs; absent where it reads none. */
  preference?: PreferenceWriter;
  /** How its trainer of reward models reads pairs. */
  rewardModel?: PreferenceWriter;
  /** How it reads judged replies. */
  kto?: KtoWriter;
  /** How it reads tasks. */
  grpo?: GrpoWriter;
  /** A row the consumer would refuse or misread: what is wrong, or null. Off with `validate: false`. */
  check?(row: Record<string, unknown>, sample: TrainingRow, settings: FormatSettings): string | null;
}

/** The plain name of a mask, as formats that hold their own say it. */
export function maskName({ maskMode, unroll }: Pick<FormatSettings, "maskMode" | "unroll">): string {
  if (unroll) return "final (unrolled)";
  return typeof maskMode === "function" ? "turns picked by a function" : maskMode;
}
