import { checkOptions, type Row, textOf } from "@while/schema";
import { binaryReward, passLabel } from "@while/stats";
import { SelectError } from "../select-error.ts";
import { assistantTurns, toolCallCount } from "./features.ts";
import { isDoNothing } from "./is-do-nothing.ts";
import { isIncompleteJunk } from "./is-incomplete-junk.ts";

/** Why a single row cannot be trained on, whatever its group looks like. */
export const GATE_REASONS = ["do_nothing", "incomplete_junk", "unusable_label"] as const;

export type GateReason = (typeof GATE_REASONS)[number];

export interface DropReasonOptions {
  /** Does the agent have tools? Without them nobody can have failed to call one. */
  hasTools?: boolean;
  /** Judge the replies too. Off for a table of labels, whose rows carry none. */
  textGates?: boolean;
}

/** The outcome of a row that a task's pass rate can be counted from, or null. */
export type ReadLabel = (row: Row) => number | null;

/**
 * Why a row is not worth training on with a grouped method, or null to keep it: junk, a row that nobody judged and
 * that calls no tool where one was wanted, or no label of exactly 0 or 1.
 *
 * A zero that a trusted source gave (`label_source` begins with claude or gold) is kept if there is anything to
 * learn from: empty or cut replies are the failures that the zero is about.
 *
 * @throws SelectError `bad_option`
 */
export function dropReason(row: Row, options: DropReasonOptions = {}): GateReason | null {
  return gateRow(row, { ...readGateOptions(options), label: passLabel }).reason;
}

/** @throws SelectError `bad_option` */
export function readGateOptions(options: DropReasonOptions): Required<DropReasonOptions> {
  checkOptions(options, ["hasTools", "textGates"], (what, fix) => new SelectError("bad_option", what, fix));
  const { hasTools = true, textGates = true } = options;
  return { hasTools, textGates };
}

/** `dropReason`, and whether only a trusted zero saved the row. */
export function gateRow(
  row: Row,
  { hasTools, textGates, label }: { hasTools: boolean; textGates: boolean; label: ReadLabel },
): { reason: GateReason | null; verifiedZero: boolean } {
  const labelled = label(row) !== null;
  let reason: GateReason | null = labelled ? null : "unusable_label";
  if (textGates) {
    if (isIncompleteJunk(row)) reason = "incomplete_junk";
    else if (isUnjudged(row) && isDoNothing(row, hasTools)) reason = "do_nothing";
  }
  if (!isTrustedZero(row) || !hasTrainableContent(row)) return { reason, verifiedZero: false };
  return { reason: null, verifiedZero: reason === "incomplete_junk" };
}

/** Is there anything in the row that a model could be trained on: a call, a reply, a turn? */
export function hasTrainableContent(row: Row): boolean {
  return textOf(row.final_text).trim() !== "" || toolCallCount(row) > 0 || assistantTurns(row) > 0;
}

/** Nobody gave a verdict, not even one that cannot be used: a judged row is the judge's decision. */
function isUnjudged({ reward, qwen_reward: second }: Row): boolean {
  return (reward === null || reward === undefined) && (second === null || second === undefined);
}

function isTrustedZero(row: Row): boolean {
  return /^(?:claude|gold)/i.test(textOf(row.label_source)) && binaryReward(row) === 0;
}
