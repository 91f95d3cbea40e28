import { checkOptions, isObject, type Row, type ToolSchema } from "@while/schema";
import { newConversionCounts } from "./conversation/conversion-counts.ts";
import { TOOL_OUTPUT_KEEPS, type ToolOutputKeep } from "./conversation/tool-output-cap.ts";
import { type ConvertSettings, convertRow } from "./convert-row.ts";
import { ExportError } from "./export-error.ts";
import { GroupTable } from "./group-table.ts";
import { newTextCounts } from "./json/json-text.ts";
import { checkMaskMode, type MaskMode } from "./mask/loss-mask.ts";
import { checkRows, type Source, type SourceParts, sourceParts } from "./source.ts";
import type { TrainingRow } from "./training-row.ts";

export interface TrainingRowsOptions {
  /** The agent's rules, for every row; "" is none. Default: what the source and the rows know. */
  systemPrompt?: string;
  /** Function schemas for every row; [] is none. Default: each row's own, else the source's. */
  tools?: readonly ToolSchema[];
  /** Take `<think>` text out of replies. */
  stripThink?: boolean;
  /** Which turns carry loss; with `unroll`, `assistant` and `final` do not matter. */
  maskMode?: MaskMode;
  /** One sample for each agent turn. */
  unroll?: boolean;
  /** Code points a tool message may have; null is no cap. */
  maxToolOutputChars?: number | null;
  /** What is kept of a tool message that has more: its beginning, its end, or half of each. */
  toolOutputKeep?: ToolOutputKeep;
}

export const TRAINING_ROWS_OPTIONS: readonly string[] = [
  ...["systemPrompt", "tools", "stripThink", "maskMode", "unroll", "maxToolOutputChars", "toolOutputKeep"],
];

/**
 * Graded rows as conversations to train on: the agent's rules and tool schemas put back in front, tool calls in the
 * API's spelling, a loss mask beside them. Rows of a task that repeats are stamped with their group.
 *
 * What was changed or could not be kept on the way is counted in the report of `exportLines` and `exportDataset`.
 *
 * @throws ExportError `invalid_option`, `mask_mode_unknown`, `unknown_role`, `schema_invalid`
 */
export function trainingRows(source: Source, options: TrainingRowsOptions = {}): TrainingRow[] {
  checkOptions(options, TRAINING_ROWS_OPTIONS, invalidOption);
  const parts = sourceParts<Iterable<Row>>(source);
  checkRows(parts.rows);
  const settings = convertSettings(options, parts);
  const groups = new GroupTable();
  const counters = { counts: newConversionCounts(), text: newTextCounts() };
  const converted = Array.from(parts.rows)
    .filter(isObject)
    .map((row, index) => {
      const converted = convertRow(row, index, settings, counters);
      groups.add(converted.groupKey, converted.reward);
      return converted;
    });
  return converted.flatMap(({ samples, groupKey }) => {
    const stamp = groups.stamp(groupKey);
    return stamp === null ? samples : samples.map((sample) => ({ ...sample, ...stamp }));
  });
}

/** The settings that options and source decide together: an option wins, also when it is empty. */
export function convertSettings(
  options: TrainingRowsOptions,
  { rules, tools }: Pick<SourceParts<unknown>, "rules" | "tools">,
): ConvertSettings {
  const { maskMode = "assistant", maxToolOutputChars = null, toolOutputKeep = "head" } = options;
  checkMaskMode(maskMode);
  if (maxToolOutputChars !== null && !(Number.isInteger(maxToolOutputChars) && maxToolOutputChars >= 0)) {
    throw invalidOption(
      `maxToolOutputChars is ${maxToolOutputChars}.`,
      "Give a whole number from 0, or null for no cap.",
    );
  }
  if (!TOOL_OUTPUT_KEEPS.includes(toolOutputKeep)) {
    throw invalidOption(
      `toolOutputKeep is ${JSON.stringify(toolOutputKeep)}.`,
      `Give one of ${TOOL_OUTPUT_KEEPS.join(", ")}.`,
    );
  }
  if (options.toolOutputKeep !== undefined && maxToolOutputChars === null) {
    throw invalidOption(
      "toolOutputKeep says what is kept of a long tool message, and none is cut.",
      "Give maxToolOutputChars too, or leave toolOutputKeep out.",
    );
  }
  const given: unknown = options.tools;
  if (given !== undefined && !Array.isArray(given)) {
    throw invalidOption(`tools is ${typeof given} and not a list.`, "Give a list of function schemas; [] is none.");
  }
  return {
    systemPrompt: options.systemPrompt,
    rules,
    tools: options.tools ?? null,
    sourceTools: tools,
    stripThink: options.stripThink ?? true,
    maskMode,
    unroll: options.unroll ?? false,
    maxToolOutputChars,
    toolOutputKeep,
  };
}

export function invalidOption(what: string, fix: string): ExportError {
  return new ExportError("invalid_option", what, fix);
}
