import type { Row, ToolSchema } from "@while/schema";
import type { FormatCounts } from "../formats/format-counts.ts";
import type { Requirement } from "../formats/requirement.ts";
import type { WireMessage } from "../training-row.ts";

/** A side of a pair: a row, or the messages of one. */
export type PairSide = Row | readonly NonNullable<Row["messages"]>[number][];

/**
 * Two replies to one ask, the better and the worse: what `buildPreferencePairs` of `@while/select` makes, or any file
 * of such objects. Keys are spelled as files spell them; those below are read, others are left out and counted.
 */
export interface PairSource {
  prompt?: unknown;
  chosen: PairSide;
  rejected: PairSide;
  /** Neither side is better; such pairs are dropped. */
  tie?: unknown;
  /** What the maker of the pair knows of it, and the quality of a set is read from. */
  first_turn_differs?: unknown;
  same_policy?: unknown;
  margin?: unknown;
  chosen_score?: unknown;
  rejected_score?: unknown;
  length_delta?: unknown;
  rejected_failure_class?: unknown;
  lineage?: unknown;
}

/** A pair on the wire, cut as its format asks. */
export interface WirePair {
  /** The text of the ask; null when the pair does not say. */
  ask: string | null;
  /** What both sides share, when they are one turn each; empty when they are whole conversations. */
  prompt: WireMessage[];
  chosen: WireMessage[];
  rejected: WireMessage[];
  tools?: readonly ToolSchema[];
  /** What is known about the pair, and the schema version. */
  beside: Record<string, unknown>;
}

/** A warning for the pairs that give reason for it. */
export interface PairWarning {
  code: string;
  applies(pair: WirePair): boolean;
  says(n: number, pairs: number): string;
}

/** How a consumer reads pairs. */
export interface PreferenceWriter {
  /**
   * `turn`: a shared prompt, and on each side the one turn in which they part. `whole`: two whole conversations, of
   * which the trainer finds the shared part itself.
   */
  sides: "turn" | "whole";
  /** A trainer that fails on these rows, though it reads pairs of another shape. */
  notFor?: string;
  /** What must be set in the trainer. */
  requires?: readonly Requirement[];
  write(pair: WirePair): Record<string, unknown>;
  /** What the format's own counters grow by. */
  counts?(pair: WirePair): FormatCounts;
  /** What it does to some pairs that nobody would expect. */
  warns?: readonly PairWarning[];
  /** A pair the consumer would refuse or misread: what is wrong, or null. Off with `validate: false`. */
  check?(pair: WirePair): string | null;
}

/** What travels beside a pair, in this order. */
export const PAIR_KEYS: readonly string[] = [
  ...["tie", "pairwise", "first_turn_differs", "chosen_score", "rejected_score", "margin", "chosen_model"],
  ...["rejected_model", "same_policy", "length_delta", "chosen_reason", "rejected_reason", "rejected_failure_class"],
  "lineage",
];
