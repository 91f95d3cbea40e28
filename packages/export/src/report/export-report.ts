import type { LeakHit } from "@while/schema";
import type { TypeConflict } from "../arrow/argument-types.ts";
import type { Contaminated } from "../eval-filter.ts";
import type { Requirement } from "../formats/requirement.ts";
import type { RoundtripReport } from "../roundtrip/roundtrip-check.ts";
import type { ProbeReport } from "../template/probe-template.ts";
import type { TrlVersion } from "../trl/trl-version.ts";

/** Something to know before training on the file. */
export interface ExportWarning {
  code: string;
  /** One sentence or two, with the numbers. */
  text: string;
}

/**
 * What an export wrote and what its trainer will do with it. Optional counters are there when they are above 0.
 */
export interface ExportReport {
  /** Rows in the consumer's shape. */
  n: number;
  /** Rows of the source; `n` plus what was dropped, unless rows were unrolled. */
  rowsIn: number;
  nWritten: number;
  /** null when nothing was asked to be written. */
  path: string | null;
  /** Of the file; null without one. */
  sha256: string | null;
  bytes: number | null;
  format: string;
  /** Rows whose first message is the rules; rows with tool schemas. */
  withSystem: number;
  withTools: number;
  /** Groups of two rollouts or more, and the single ones stamped beside them. */
  groups: number;
  toolCallRoundtrip: RoundtripReport;
  /** What trains, in words; for TRL a sentence, because a setting of the trainer decides. */
  maskMode: string;
  /** The release that `maskMode` and `requires` speak of; null for formats of other trainers. */
  trlVersion: TrlVersion | null;
  unrolled: boolean;
  maxToolOutputChars: number | null;
  toolOutputTruncated: number;
  toolOutputCharsCut: number;
  /** Messages that the trainer takes loss on, and the others: what it does and not what was wished. */
  trainedMessages: number;
  maskedMessages: number;
  privilegedLeaks: {
    /** false: no row had a privileged block long enough to quote, so there is no verdict. */
    checked: boolean;
    nChecked: number;
    nLeaked: number;
    /** Rows that quote their block only in words which the user or a tool had said first. */
    nShown: number;
    /** The first 20. */
    leaked: LeakHit[];
    summary: string;
  };
  /** Of the written rows; a reward of 0.5 counts as a pass here. */
  rewards: { nPass: number; nFail: number; nUngraded: number };
  /** Rows without a turn that the shape can train. */
  noCompletionDropped: number;
  /** Messages behind the last turn that trains, where the shape cannot hold them. */
  trailingMessagesDropped: number;
  /** Settings of the trainer without which the file trains something else. */
  requires: Requirement[];
  arrow: {
    /** Columns without one type over all rows, now in `metadata_json`; left in place under `unstable`. */
    moved: string[];
    unstable: string[];
    /** Places in tool arguments and schemas that hold values of different kinds. */
    argumentTypes: TypeConflict[];
  };
  warnings: ExportWarning[];

  /** Of formats that count them, 0 included: rows whose turns do not alternate, turns whose text beside a call went. */
  alternationDropped?: number;
  textBesideCall?: number;
  /** The list of datasets beside the file, with an entry for it; of trainers that read one. */
  infoPath?: string;
  /** How the given chat template renders these rows; there with the option `template`. */
  probe?: ProbeReport;
  /** Calls and schemas stand in the text, in this dialect. */
  inline?: "hermes";
  /** Entries of the source that are no objects. */
  skipped?: number;
  /** A one-shot iterable was held in memory, because rows are read twice. */
  buffered?: boolean;
  systemReplaced?: number;
  systemPromptUnresolved?: number;
  systemPromptMismatch?: number;
  contentPartsDropped?: Map<string, number>;
  messageFieldsDropped?: Map<string, number>;
  /** Fields of rows that did not travel, by name, with the rows that have them. */
  notCarried?: Map<string, number>;
  blockedNamesKept?: number;
  orphanToolMessages?: number;
  unansweredCalls?: number;
  emptyAssistantTurns?: number;
  /** Agent turns that rows keep out of the loss, by `train_turns` or a `loss_mask` they came with. */
  turnsHeldOut?: number;
  thinkRemoved?: number;
  thinkUnclosed?: number;
  rewardNotNumeric?: number;
  /** NaN and infinities written as null. */
  nonfinite?: number;
  /** Integers of a file too large for a double: text under an id, rounded elsewhere, kept in tool arguments. */
  unsafeIntegers?: number;
  /** Rows in which half a surrogate pair was escaped, and the first 20 of them. */
  loneSurrogates?: number;
  loneSurrogateRows?: string[];
  evalSourced?: number;
  /** Rows of scored evals that `dropEvalSourced` left out. */
  evalSourcedDropped?: number;
  /** Rows that say word for word what an earlier one says, and train the same of it. */
  duplicateRows?: number;
  /** Rows that an evaluation holds, left out; there with the option `against`, 0 included. */
  contaminated?: Contaminated;
  /** What `stripThink: "auto"` came to. */
  stripThink?: boolean;
  /** Rows cut at the token limit (`finish_reason` `length`). */
  finishLength?: number;
  /** Messages written for each message of the source. */
  unrollMessageFactor?: number;
}
