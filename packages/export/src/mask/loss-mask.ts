import type { Row } from "@while/schema";
import { ExportError } from "../export-error.ts";

export const MASK_MODES = ["assistant", "final"] as const;

/** Decides turn by turn; may only choose turns of the agent. */
export type TurnPredicate = (message: { role: string; content?: unknown }, index: number, row: Row) => boolean;

/** Which turns carry loss: all of the agent's, its last one, or those a function picks. */
export type MaskMode = (typeof MASK_MODES)[number] | TurnPredicate;

export interface LossMaskOptions {
  mode?: MaskMode;
  /** Given to a function as its third argument. */
  row?: Row;
}

/**
 * One 0 or 1 a message, by role alone: 1 on the agent's turns, or on its last one with `final`. What a tool or a
 * person said is the environment's text and stays out of the loss (Lambert 2025, chapter Tool Use); `final` is for
 * conversations whose earlier agent turns were scripted or came from another policy. Without an agent turn all are 0.
 *
 * @throws ExportError `mask_mode_unknown`; `invalid_option` when a function picks a turn that is not the agent's
 */
export function lossMask(
  messages: readonly { role: string; content?: unknown }[],
  { mode = "assistant", row = {} }: LossMaskOptions = {},
): (0 | 1)[] {
  checkMaskMode(mode);
  const mask: (0 | 1)[] = messages.map((message, index) => (trains(message, index, mode, row) ? 1 : 0));
  return mode === "final" ? lastOnly(mask) : mask;
}

/** Whether a mode puts loss on a message, before `final` narrows it to the last one. */
export function trains(message: { role: string; content?: unknown }, index: number, mode: MaskMode, row: Row): boolean {
  if (typeof mode !== "function") return message.role === "assistant";
  const picked = mode(message, index, row);
  if (picked && message.role !== "assistant") {
    throw new ExportError(
      "invalid_option",
      `The function under maskMode picked message ${index}, which the ${message.role} wrote.`,
      'Return false unless message.role is "assistant": text the agent did not write must not be trained.',
    );
  }
  return picked;
}

export function lastOnly(mask: (0 | 1)[]): (0 | 1)[] {
  const last = mask.lastIndexOf(1);
  return mask.map((bit, index) => (index === last ? bit : 0));
}

export function checkMaskMode(mode: unknown): asserts mode is MaskMode {
  if (typeof mode === "function" || MASK_MODES.some((known) => known === mode)) return;
  throw new ExportError(
    "mask_mode_unknown",
    `mask_mode must be one of ${MASK_MODES.join(", ")}; got ${JSON.stringify(mode)}.`,
    "Use assistant for all turns of the agent, final for its last one, or a function that picks turns.",
  );
}
