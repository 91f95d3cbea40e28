import type { PaddedCall, TypeConflict } from "../arrow/argument-types.ts";
import type { ExportSettings } from "../export-options.ts";
import type { Collected } from "./collected.ts";
import type { ExportReport, ExportWarning } from "./export-report.ts";

export interface WarningContext {
  seen: Collected;
  settings: ExportSettings;
  fromFile: boolean;
  padded: PaddedCall | null;
}

/**
 * What to know before training on the file: first what should not be in it, then what is not in it, then what the
 * trainer must be told.
 */
export function exportWarnings(report: ExportReport, context: WarningContext): ExportWarning[] {
  const warnings: ExportWarning[] = [];
  const warn = (code: string, applies: boolean, text: () => string): void => {
    if (applies) warnings.push({ code, text: text() });
  };
  aboutRows(report, context, warn);
  aboutSource(report, context, warn);
  aboutConversion(report, context, warn);
  aboutConsumer(report, context, warn);
  return warnings;
}

type Warn = (code: string, applies: boolean, text: () => string) => void;

function aboutRows(report: ExportReport, { seen }: WarningContext, warn: Warn): void {
  const { n, privilegedLeaks: leaks, rewards, noCompletionDropped, toolCallRoundtrip: roundtrip } = report;
  warn("privileged_leak", leaks.nLeaked > 0, () => {
    return `${leaks.nLeaked} of ${leaks.nChecked} rows quote their own privileged block; they were exported because validate is off.`;
  });
  warn("finish_length", seen.finishLength > 0, () => {
    return `${seen.finishLength} of ${seen.rowsIn} rows ended at the token limit (finish_reason length): training on them teaches to stop in the middle.`;
  });
  warn("reward_below_half", rewards.nFail > 0, () => {
    return `${rewards.nFail} of ${n} rows have a reward below 0.5, and an SFT trainer clones each row it is given.`;
  });
  warn("duplicate_rows", seen.duplicateRows > 0, () => {
    return `${seen.duplicateRows} of ${n} rows say word for word what an earlier one says: each is trained on as often as it stands there.`;
  });
  warn("rows_dropped", noCompletionDropped > 0, () => {
    return `${noCompletionDropped} rows were dropped: they have no agent turn with something before it.`;
  });
  warn(
    "rows_skipped",
    seen.skipped > 0,
    () => `${seen.skipped} entries of the source are no objects and were skipped.`,
  );
  warn("tool_call_roundtrip_invalid", roundtrip.invalid > 0, () => {
    return `${roundtrip.invalid} of ${roundtrip.checked} tool calls do not read back as an object; they were exported because validate is off.`;
  });
}

function aboutSource(report: ExportReport, { seen, fromFile }: WarningContext, warn: Warn): void {
  const { systemPromptUnresolved: unresolved, systemPromptMismatch: mismatch } = seen.counts;
  warn("tools_missing", seen.callsWithoutTools > 0, () => {
    return `${seen.callsWithoutTools} rows call tools and no schema is written with them: pass tools, or the model learns to call what it was never shown.`;
  });
  warn("system_prompt_missing", unresolved > 0, () => {
    return `${unresolved} rows came from a system prompt (lineage.system_prompt_sha) and the file has none: pass systemPrompt, or keep the source's .meta.json beside it.`;
  });
  warn("system_prompt_mismatch", mismatch > 0, () => {
    return `${mismatch} rows were made under other rules than those put in front of them (lineage.system_prompt_sha differs).`;
  });
  warn("eval_sourced", seen.evalSourced > 0, () => {
    return `${seen.evalSourced} rows are scored evals (lineage.source eval): a held-out score that becomes a training signal is held out no more.`;
  });
  const vacuous = !report.privilegedLeaks.checked && (fromFile || seen.looksExported) && seen.rowsIn > 0;
  warn("leak_check_vacuous", vacuous, () => {
    return "No row could be checked for leaks: exported rows have lost their privileged block, check those of the run.";
  });
  warn("buffered", report.buffered === true, () => "The source can be read once, so all its rows were held in memory.");
}

function aboutConversion(report: ExportReport, { seen }: WarningContext, warn: Warn): void {
  const { counts } = seen;
  warn("think_removed_from_reasoner", counts.thinkRemovedFromReasoners > 0, () => {
    return `Think text was taken out of ${counts.thinkRemovedFromReasoners} rows of a model that thinks: its template renders an empty think block before each reply, and the tuned model answers at once while the base still reasons. Set enable_thinking: false on both arms, in training and evaluation, or keep the text with stripThink: false.`;
  });
  warn("unroll_copies_failing_reward", report.unrolled && seen.unrolledFailing > 0, () => {
    return `${seen.unrolledFailing} samples carry a reward below 0.5 that is the whole conversation's: one bad last turn marks every good turn before it.`;
  });
  warn("reward_not_numeric", counts.rewardNotNumeric > 0, () => {
    return `${counts.rewardNotNumeric} rewards are no finite numbers and count as ungraded.`;
  });
  warn("content_parts_dropped", counts.contentPartsDropped.size > 0, () => {
    return `Parts of messages that are no text were dropped: ${listed(counts.contentPartsDropped)}.`;
  });
  warn("lone_surrogates", report.loneSurrogates !== undefined, () => {
    return `${report.loneSurrogates} rows hold half a surrogate pair, written as an escape: ${report.loneSurrogateRows!.join(", ")}.`;
  });
  warn(
    "nonfinite",
    report.nonfinite !== undefined,
    () => `${report.nonfinite} numbers are NaN or infinite and were written as null.`,
  );
}

function aboutConsumer(report: ExportReport, { seen, settings, padded }: WarningContext, warn: Warn): void {
  const { arrow, requires, toolCallRoundtrip: roundtrip, format } = report;
  warn("schema_mismatch", roundtrip.schemaMismatch > 0, () => {
    const { row, tool, problem } = roundtrip.schemaMismatches[0]!;
    return `${roundtrip.schemaMismatch} of ${roundtrip.checked} tool calls do not fit the schemas beside them, first ${tool} in row ${row}: ${problem}.`;
  });
  warn("consumer_refuses", seen.nRefused > 0, () => {
    return `${format} would refuse ${seen.nRefused} rows: ${seen.refused.join("; ")}.`;
  });
  for (const { name, code, says } of settings.spec.counts ?? []) {
    const n = report[name] ?? 0;
    warn(code, n > 0, () => says(n));
  }
  for (const { code, text } of settings.spec.warns?.(report, settings.format) ?? []) warn(code, true, () => text);
  const { baseModel } = settings.format;
  warn("inline_dialect", report.inline === "hermes" && baseModel !== null && OTHER_DIALECT.test(baseModel), () => {
    return `Calls stand in the text as Qwen's templates write them, and ${baseModel} is of a family whose template writes them otherwise: it would learn a spelling that it is never served with.`;
  });
  const unmet = requires.filter(({ setting }) => !(setting in settings.format.trainerConfig));
  for (const { setting, value, why } of unmet) warn("requires", true, () => `Needs ${setting}: ${value}; ${why}.`);
  warn("unstable_columns", arrow.unstable.length > 0, () => {
    return `Columns without one type over all rows: ${arrow.unstable.join(", ")}. Past one read block a loader fails on them; carry: "auto" moves them into metadata_json.`;
  });
  warn("argument_types", arrow.argumentTypes.length > 0, () => argumentTypes(arrow.argumentTypes, padded));
}

/** Families whose chat templates do not write calls as Hermes does. */
const OTHER_DIALECT = /llama|mistral|mixtral|gemma|gpt-?oss|deepseek|command-?r|phi/i;

function argumentTypes(conflicts: readonly TypeConflict[], padded: PaddedCall | null): string {
  const named = conflicts.slice(0, 3).map(({ path, kinds }) => {
    const seen = [...kinds].map(([kind, { row, tool }]) => `a ${kind} in row ${row} (${tool})`);
    return `${path} is ${seen.join(" and ")}`;
  });
  const more = conflicts.length > 3 ? `, and ${conflicts.length - 3} more` : "";
  const orAdds =
    padded === null ? "" : `, or adds ${padded.argument}: null to the call of ${padded.tool} in row ${padded.row}`;
  const inTools = conflicts.every(({ path }) => path.startsWith("tools[]"));
  const option = inTools ? "toolsAs" : "argumentsAs";
  const asIs = inTools ? "list" : "object";
  return `${named.join("; ")}${more}: a column reader fails on it${orAdds}. Write JSON text with ${option}: "string", or keep ${option}: "${asIs}" and load the file with a reader that has a JSON type (datasets 4.7 and newer).`;
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([kind, n]) => `${n} ${kind}`).join(", ");
}
