import { isObject, messagesOf, type Row, scrubRow, type ToolSchema, taskKey } from "@while/schema";
import { CARRIED_KEYS, FLOAT_KEYS, REPLACED_KEYS } from "./carried-keys.ts";
import { type ConversionCounts, countIn } from "./conversation/conversion-counts.ts";
import { restoredRow } from "./conversation/restored-row.ts";
import { systemPromptFor } from "./conversation/system-prompt.ts";
import type { ToolOutputKeep } from "./conversation/tool-output-cap.ts";
import { wireMessages } from "./conversation/wire-messages.ts";
import { ExportError } from "./export-error.ts";
import { JsonNumber } from "./json/json-number.ts";
import type { TextCounts } from "./json/json-text.ts";
import type { MaskMode } from "./mask/loss-mask.ts";
import { isEmptyTurn, rowMask } from "./mask/row-mask.ts";
import { cutCounts, spokenTurns, unroll } from "./mask/unroll.ts";
import { rowName } from "./row-name.ts";
import type { Rules } from "./source.ts";
import type { TrainingRow } from "./training-row.ts";

/** How rows become training rows; every field decided. */
export interface ConvertSettings {
  /** Rules for every row, given by the caller; undefined leaves it to the source and the rows. */
  systemPrompt: string | undefined;
  rules: Rules;
  /** Schemas for every row, given by the caller; null leaves it to the rows and the source. */
  tools: readonly ToolSchema[] | null;
  /** Schemas for rows that have none. */
  sourceTools: readonly ToolSchema[] | null;
  stripThink: boolean;
  maskMode: MaskMode;
  unroll: boolean;
  maxToolOutputChars: number | null;
  toolOutputKeep: ToolOutputKeep;
}

/** One source row on the wire. */
export interface ConvertedRow {
  /** One, or one a turn; without the stamp of their group, which takes all rows to know. */
  samples: TrainingRow[];
  /** The task whose group the samples belong to; "" when samples of one conversation are no group. */
  groupKey: string;
  /** null when ungraded. */
  reward: number | null;
  /** Agent turns that the row itself keeps out of the loss. */
  nHeldOut: number;
  nMessages: number;
}

/** Models that think before they answer, by the names they are served under. */
export const REASONER: RegExp = /qwen-?3|qwq|deepseek-?r1|r1-distill|gpt-?oss|magistral|glm-?4\.[5-9]|thinking|reason/i;

/** Converts one row. The row is read, never changed, and blocked keys are gone before anything is derived from it. */
export function convertRow(
  source: Row,
  index: number,
  settings: ConvertSettings,
  { counts, text }: { counts: ConversionCounts; text: TextCounts },
): ConvertedRow {
  const scrubbed = scrubRow(restoredRow(source));
  const { row } = scrubbed;
  counts.blockedNamesKept += scrubbed.kept.length;
  const where = () => rowName(row, index);
  const told = messagesOf(row);
  const hasOwn = told[0]?.role === "system" || told[0]?.role === "developer";
  const systemPrompt = systemPromptFor(row, { given: settings.systemPrompt, rules: settings.rules, hasOwn, counts });
  const conversation = wireMessages(told, { ...settings, systemPrompt }, { where, counts, text });
  const { messages, cuts } = conversation;
  if (conversation.thinkRemoved && isReasoner(row)) counts.thinkRemovedFromReasoners++;

  const reward = rewardOf(row, counts);
  const alreadyUnrolled = isObject(row.unroll);
  const { mask, nHeldOut } = alreadyUnrolled
    ? rowMask(messages, {}, "final")
    : rowMask(messages, row, settings.maskMode, told);
  counts.turnsHeldOut += nHeldOut;
  const tools = settings.tools ?? row.tools ?? settings.sourceTools;
  const whole = { messages, loss_mask: mask } as TrainingRow;
  if (hasTools(tools)) whole.tools = tools;
  carry(whole, row, counts);
  whole.schema_version = "1";
  check(whole, index);
  if (alreadyUnrolled) {
    const sample = {
      ...whole,
      ...cutCounts(cuts, messages.length),
      unroll: row.unroll as { turn: number; turns: number },
    };
    return { samples: [sample], groupKey: "", reward, nHeldOut, nMessages: messages.length };
  }
  if (!settings.unroll) {
    const sample = cuts.size === 0 ? whole : { ...whole, ...cutCounts(cuts, messages.length) };
    return { samples: [sample], groupKey: taskKey(row), reward, nHeldOut, nMessages: messages.length };
  }
  const turns = spokenTurns(messages, isEmptyTurn);
  counts.trailingAfterUnroll += turns.length === 0 ? 0 : messages.length - 1 - turns.at(-1)!;
  return { samples: unroll(whole, cuts, turns), groupKey: "", reward, nHeldOut, nMessages: messages.length };
}

function hasTools(tools: unknown): tools is readonly ToolSchema[] {
  return tools !== null && tools !== undefined && !(Array.isArray(tools) && tools.length === 0);
}

/** Numbers alone are rewards: the Python SDK also takes "1" and infinities for graded. */
function rewardOf({ reward }: Row, counts: ConversionCounts): number | null {
  if (typeof reward === "number" && Number.isFinite(reward)) return reward;
  if (reward !== null && reward !== undefined) counts.rewardNotNumeric++;
  return null;
}

/** Copies what travels beside the conversation, and counts what does not. */
function carry(columns: TrainingRow, row: Row, counts: ConversionCounts): void {
  for (const key of CARRIED_KEYS) {
    const value = row[key];
    if (value === null || value === undefined) continue;
    // A float column with one string in it is no column; such a reward counts as ungraded.
    if (FLOAT_KEYS.has(key) && typeof value !== "number" && !(value instanceof JsonNumber)) continue;
    columns[key] = value;
  }
  for (const key of Object.keys(row)) {
    if (REPLACED_KEYS.has(key) || row[key] === null || row[key] === undefined || Object.hasOwn(columns, key)) continue;
    countIn(counts.notCarried, key);
  }
}

function isReasoner(row: Row): boolean {
  const names = [row.policy_version, row.model_version, isObject(row.sampling) ? row.sampling.model : null];
  return names.some((name) => typeof name === "string" && REASONER.test(name));
}

/** What every consumer takes for granted about a row. */
function check({ messages, tools }: TrainingRow, index: number): void {
  const problem =
    messages.length === 0
      ? "messages_missing"
      : tools !== undefined && !Array.isArray(tools)
        ? "tools_not_list"
        : messages.some(({ tool_calls: calls }) => calls?.some((call) => call.function.name === ""))
          ? "tool_call_without_name"
          : null;
  if (problem === null) return;
  throw new ExportError(
    "schema_invalid",
    `schema_invalid in training_rows: ${index}:${problem}.`,
    "Mend the row in the source, or leave it out.",
    { data: { row: index, problem } },
  );
}
