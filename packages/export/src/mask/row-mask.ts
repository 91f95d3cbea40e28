import type { Row } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { WireMessage } from "../training-row.ts";
import { lastOnly, type MaskMode, trains } from "./loss-mask.ts";

/**
 * The mask of one row: what the mode says, less empty turns of the agent (training one teaches it to say nothing)
 * and less turns that the row's own `train_turns` leaves out. `train_turns` counts agent turns from 0: turns that a
 * teacher, a person or a fault injector wrote are masked one by one.
 *
 * @throws ExportError `schema_invalid` when `train_turns` names a turn that is not there
 */
export function rowMask(messages: readonly WireMessage[], row: Row, mode: MaskMode): (0 | 1)[] {
  const allowed = trainTurns(row, messages);
  let turn = -1;
  const mask: (0 | 1)[] = messages.map((message, index) => {
    if (message.role === "assistant") turn++;
    const picked = trains(message, index, mode, row);
    return picked && !isEmptyTurn(message) && (allowed === null || allowed.has(turn)) ? 1 : 0;
  });
  return mode === "final" ? lastOnly(mask) : mask;
}

/** A turn of the agent with neither text nor a call. */
export function isEmptyTurn(message: WireMessage): boolean {
  return message.role === "assistant" && message.content === "" && message.tool_calls === undefined;
}

function trainTurns(row: Row, messages: readonly WireMessage[]): ReadonlySet<number> | null {
  const given = row.train_turns;
  if (given === undefined || given === null) return null;
  const nTurns = messages.filter((message) => message.role === "assistant").length;
  if (Array.isArray(given) && given.every((turn) => Number.isInteger(turn) && turn >= 0 && turn < nTurns)) {
    return new Set(given);
  }
  throw new ExportError(
    "schema_invalid",
    `schema_invalid in training_rows: train_turns is ${JSON.stringify(given)} on a row with ${nTurns} agent turns.`,
    "List agent turns by number, the first is 0.",
  );
}
