import type { Row } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { WireMessage } from "../training-row.ts";
import { lastOnly, type MaskMode, trains } from "./loss-mask.ts";

/** The mask of one row. */
export interface RowMask {
  mask: (0 | 1)[];
  /** Turns of the agent with something in them that the row itself keeps out of the loss. */
  nHeldOut: number;
}

/**
 * The mask of one row: what the mode says, less empty turns of the agent (training one teaches it to say nothing) and
 * less the turns that the row itself keeps out, by `train_turns` or by a `loss_mask` it came with (OpenAI's `weight`
 * is read into one). Those were written by a teacher, a person or a fault injector.
 *
 * @param told The row's own messages, which its `loss_mask` speaks of
 * @throws ExportError `schema_invalid` when the row's mask does not fit its messages
 */
export function rowMask(
  messages: readonly WireMessage[],
  row: Row,
  mode: MaskMode,
  told: readonly { role: string }[] = messages,
): RowMask {
  const trainable = trainableTurns(row, told);
  let turn = -1;
  let nHeldOut = 0;
  const mask: (0 | 1)[] = messages.map((message, index) => {
    if (message.role === "assistant") turn++;
    const picked = trains(message, index, mode, row);
    if (!picked || isEmptyTurn(message)) return 0;
    if (trainable === null || trainable.has(turn)) return 1;
    nHeldOut++;
    return 0;
  });
  return { mask: mode === "final" ? lastOnly(mask) : mask, nHeldOut };
}

/** A turn of the agent with neither text nor a call. */
export function isEmptyTurn(message: WireMessage): boolean {
  return message.role === "assistant" && message.content === "" && message.tool_calls === undefined;
}

/** Agent turns by number that the row lets train; null when it says nothing. */
function trainableTurns(row: Row, told: readonly { role: string }[]): ReadonlySet<number> | null {
  const listed = row.train_turns ?? null;
  const mask = row.loss_mask ?? null;
  if (listed === null && mask === null) return null;
  const nTurns = told.filter((message) => message.role === "assistant").length;
  if (listed !== null && !isTurnList(listed, nTurns)) {
    throw unfit(
      `train_turns is ${JSON.stringify(listed)} on a row with ${nTurns} agent turns`,
      "List agent turns by number, the first is 0.",
    );
  }
  const ownMask = mask === null ? null : alignedMask(mask, told.length);
  const trainable = new Set<number>();
  let turn = -1;
  for (const [index, message] of told.entries()) {
    if (message.role !== "assistant") continue;
    turn++;
    if ((listed === null || listed.includes(turn)) && (ownMask === null || ownMask[index] === 1)) trainable.add(turn);
  }
  return trainable;
}

function isTurnList(listed: unknown, nTurns: number): listed is number[] {
  return Array.isArray(listed) && listed.every((turn) => Number.isInteger(turn) && turn >= 0 && turn < nTurns);
}

/** Readers move rules out of the messages and leave the mask as it was: the entries in front of the rest are theirs. */
function alignedMask(mask: unknown, nMessages: number): (0 | 1)[] {
  if (Array.isArray(mask) && mask.every((bit) => bit === 0 || bit === 1)) {
    const nRules = mask.length - nMessages;
    if (nRules >= 0 && !mask.slice(0, nRules).includes(1)) return mask.slice(nRules);
  }
  throw unfit(
    `loss_mask is ${JSON.stringify(mask)} on a row with ${nMessages} messages`,
    "Give one 0 or 1 a message, or leave loss_mask out.",
  );
}

function unfit(what: string, fix: string): ExportError {
  return new ExportError("schema_invalid", `schema_invalid in training_rows: ${what}.`, fix);
}
