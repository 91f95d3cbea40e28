import type { LeakReport } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { ExportSettings } from "../export-options.ts";
import type { FormatCounts } from "../formats/format-counts.ts";
import type { RoundtripReport } from "../roundtrip/roundtrip-check.ts";
import type { Collected } from "./collected.ts";
import { partsRefused, rowsRefused } from "./refusals.ts";

/**
 * Refuses an export, once all rows were seen and before anything is written. The order is fixed: what the consumer
 * cannot read, calls, leaks, an empty file.
 *
 * @throws ExportError `consumer_refused`, `tool_call_roundtrip_invalid`, `privileged_leak`, `empty_export`
 */
export function refuse(
  settings: ExportSettings,
  seen: Collected,
  roundtrip: RoundtripReport,
  leaks: LeakReport,
  { alternationDropped = 0 }: FormatCounts = {},
): void {
  if (!settings.validate) return;
  refuseConsumer(settings, seen);
  const { checked, invalid, rows, invalidCalls } = roundtrip;
  if (invalid > 0) {
    const first = invalidCalls[0]!;
    throw new ExportError(
      "tool_call_roundtrip_invalid",
      `${invalid} of ${checked} tool calls do not read back as an object, first ${first.tool}(${first.arguments}): ${seen.invalidCallRows.join(", ")}. Training on them teaches string-wrapped arguments.`,
      "Mend or drop these rows, toolCallRoundtrip(rows) lists them; validate: false writes them as they are.",
      { data: { checked, invalid, rows } },
    );
  }
  if (leaks.nLeaked > 0) {
    const names = leaks.leaked.slice(0, 3).map(({ scenarioId, rolloutIndex, row, field }) => {
      return `${scenarioId === null ? `row ${row}` : `${scenarioId}#${rolloutIndex ?? 0}`} (${field})`;
    });
    throw new ExportError(
      "privileged_leak",
      `${leaks.nLeaked} of ${leaks.nChecked} rows checked quote their own privileged block: ${names.join(", ")}.`,
      "The export removes the block and cannot remove the quote: leakReport(rows) lists them, drop those; validate: false exports them anyway.",
      { data: { nChecked: leaks.nChecked, nLeaked: leaks.nLeaked, leaked: leaks.leaked } },
    );
  }
  if (seen.n === 0) throw emptyExport(settings, seen, alternationDropped);
}

function refuseConsumer({ spec }: ExportSettings, seen: Collected): void {
  const { contentPartsDropped } = seen.counts;
  if (contentPartsDropped.size > 0) throw partsRefused(`${spec.name} rows`, contentPartsDropped);
  if (seen.nRefused > 0) throw rowsRefused(spec.name, seen.nRefused, seen.refused);
}

function emptyExport(
  { mode }: ExportSettings,
  { rowsIn, noCompletionDropped, evalSourcedDropped, contaminated }: Collected,
  alternationDropped: number,
): ExportError {
  const why = [
    ...(evalSourcedDropped > 0 ? [`${evalSourcedDropped} are scored evals, which dropEvalSourced leaves out`] : []),
    ...(contaminated > 0 ? [`${contaminated} are held by the evaluation`] : []),
    ...(noCompletionDropped > 0 || alternationDropped + evalSourcedDropped + contaminated === 0
      ? [`${noCompletionDropped} have no agent turn with something before it`]
      : []),
    ...(alternationDropped > 0 ? [`the turns of ${alternationDropped} do not alternate`] : []),
  ];
  const what = rowsIn === 0 ? "The source has no rows." : `None of ${rowsIn} rows is left: ${why.join(", ")}.`;
  return new ExportError(
    "empty_export",
    what,
    rowsIn === 0
      ? widen(mode)
      : alternationDropped > 0
        ? 'Choose a format that takes such turns, e.g. format: "trl".'
        : evalSourcedDropped + contaminated > 0
          ? "Grade rows of the training set, and keep evals for held-out ones."
          : 'Use maskMode: "assistant", or check the rows.',
    { data: { rowsIn, noCompletionDropped, ...(alternationDropped > 0 ? { alternationDropped } : {}) } },
  );
}

/** What makes a selection keep more. */
function widen(mode: string | null): string {
  if (mode === "rl") return "The selection kept nothing: widen its band, e.g. band: [0.1, 0.9].";
  if (mode === "sft") return "The selection kept nothing: lower its minReward, or select more completions per task.";
  return "Check the file or the filter that should have given them; validate: false writes an empty file.";
}
