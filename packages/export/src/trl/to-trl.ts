import type { ToolSchema } from "@while/schema";
import { argumentTree } from "../conversation/argument-text.ts";
import { ExportError } from "../export-error.ts";
import type { TrainingRow, WireMessage } from "../training-row.ts";

export const TRL_KINDS = ["training", "completion"] as const;

/** `training`: whole conversations under `messages`. `completion`: `prompt` and the one turn that trains. */
export type TrlKind = (typeof TRL_KINDS)[number];

/** A message as TRL's templates want it: arguments an object, or the text they were when they are no JSON. */
export type TrlMessage = WireMessage<unknown>;

/** A row that TRL's trainers read. No `prompt` string, no `loss_mask`; the ask lives on as `prompt_text`. */
export interface TrlRow {
  messages?: TrlMessage[];
  prompt?: TrlMessage[];
  completion?: [TrlMessage];
  tools?: readonly ToolSchema[] | string;
  prompt_text?: string;
  [key: string]: unknown;
}

/** TRL rows, and what `completion` could not keep. */
export interface TrlRows {
  rows: TrlRow[];
  /** Rows without an agent turn that has something before it. */
  noCompletionDropped: number;
  /** Messages behind the completion. */
  trailingMessagesDropped: number;
}

/**
 * Training rows as TRL reads them. Arguments become objects, because templates apply `tojson` to them and would
 * quote a string twice; a `prompt` string moves to `prompt_text`, because TRL takes a row with both `prompt` and
 * `messages` for either kind, by the hash seed of its process; `loss_mask` goes, because TRL ignores it.
 *
 * With `completion` the turn that trains is the last one under the row's mask (without a mask, the last one that says
 * or calls something). What follows it is cut and counted: the Python SDK leaves a tool's answer inside the
 * completion, where it carries loss.
 *
 * @throws ExportError `kind_unsupported`
 */
export function toTrl(rows: readonly TrainingRow[], kind: TrlKind): TrlRows {
  if (!TRL_KINDS.includes(kind)) {
    throw new ExportError(
      "kind_unsupported",
      `toTrl writes ${TRL_KINDS.join(" and ")} rows; got ${JSON.stringify(kind)}.`,
      'Use "training" for whole conversations, "completion" for a prompt and the turn that trains.',
    );
  }
  const out: TrlRows = { rows: [], noCompletionDropped: 0, trailingMessagesDropped: 0 };
  for (const row of rows) {
    if (kind === "training") {
      out.rows.push(trlConversation(row));
      continue;
    }
    const cut = trlCompletion(row);
    if (cut === null) {
      out.noCompletionDropped++;
      continue;
    }
    out.rows.push(cut.row);
    out.trailingMessagesDropped += cut.trailing;
  }
  return out;
}

/** The whole conversation under `messages`. */
export function trlConversation(row: TrainingRow): TrlRow {
  return besides({ messages: row.messages.map(withObjects) }, row);
}

/** null when no agent turn has something before it. */
export function trlCompletion(row: TrainingRow): { row: TrlRow; trailing: number } | null {
  const at = row.loss_mask === undefined ? lastSpoken(row.messages) : row.loss_mask.lastIndexOf(1);
  if (at < 1) return null;
  const prompt = row.messages.slice(0, at).map(withObjects);
  const cut = besides({ prompt, completion: [withObjects(row.messages[at]!)] }, row);
  // Agent turns by number do not fit a row that holds some of them.
  delete cut.train_turns;
  return { row: cut, trailing: row.messages.length - 1 - at };
}

/** Everything but the conversation; the ask under a name that is no column of TRL's. */
function besides(conversation: TrlRow, row: TrainingRow): TrlRow {
  for (const key of Object.keys(row)) {
    if (key === "messages" || key === "loss_mask" || key === "prompt") continue;
    conversation[key] = row[key];
  }
  if (typeof row.prompt === "string") conversation.prompt_text = row.prompt;
  return conversation;
}

function lastSpoken(messages: readonly WireMessage[]): number {
  return messages.findLastIndex(
    ({ role, content, tool_calls: calls }) => role === "assistant" && (content !== "" || calls !== undefined),
  );
}

/** Arguments as objects. */
export function withObjects(message: WireMessage): TrlMessage {
  if (message.tool_calls === undefined) return message;
  return {
    ...message,
    tool_calls: message.tool_calls.map((call) => ({
      ...call,
      function: { ...call.function, arguments: argumentTree(call.function.arguments) },
    })),
  };
}
