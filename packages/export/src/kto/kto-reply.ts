import type { ToolSchema } from "@while/schema";
import type { FormatCounts } from "../formats/format-counts.ts";
import type { Requirement } from "../formats/requirement.ts";
import type { TrainingRow, WireMessage } from "../training-row.ts";
import type { TrlRow } from "../trl/to-trl.ts";

/** One reply and whether it is wanted, with all that stands before it. */
export interface KtoReply {
  prompt: readonly WireMessage[];
  reply: WireMessage;
  label: boolean;
  tools?: readonly ToolSchema[];
  /** The same as TRL's `prompt` and `completion`, with what travels beside them. */
  trl: TrlRow;
  row: TrainingRow;
}

/** How a consumer reads judged replies. */
export interface KtoWriter {
  /** Columns that it has beside those of the format. */
  columns: readonly string[];
  /** What must be set in the trainer. */
  requires?: readonly Requirement[];
  write(reply: KtoReply): Record<string, unknown>;
  /** The trainer would pass over the reply in silence: it is left out and counted. */
  isDropped?(reply: KtoReply): keyof FormatCounts | null;
  /** What the format's own counters grow by. */
  counts?(reply: KtoReply): FormatCounts;
  /** A reply the consumer would refuse or misread: what is wrong, or null. Off with `validate: false`. */
  check?(reply: KtoReply): string | null;
}
