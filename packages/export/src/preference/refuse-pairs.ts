import type { LeakTally } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { RoundtripCheck } from "../roundtrip/roundtrip-check.ts";

/** Pairs that an error names. */
export const NAMED = 3;

/** @throws ExportError `tool_call_roundtrip_invalid` */
export function refuseCalls(check: RoundtripCheck): void {
  const { checked, invalid, rows, invalidCalls } = check.report();
  if (invalid === 0) return;
  const first = invalidCalls[0]!;
  throw new ExportError(
    "tool_call_roundtrip_invalid",
    `${invalid} of ${checked} tool calls do not read back as an object, first ${first.tool}(${first.arguments}) in pair ${first.row}. Training on them teaches string-wrapped arguments.`,
    "Mend or drop these pairs; validate: false writes them as they are.",
    { data: { checked, invalid, rows } },
  );
}

export function leakOf({ nLeaked, nChecked, leaked }: ReturnType<LeakTally["report"]>): ExportError {
  const names = leaked.slice(0, NAMED).map(({ row, field }) => `pair ${row} (${field})`);
  return new ExportError(
    "privileged_leak",
    `${nLeaked} of ${nChecked} chosen sides checked quote their own privileged block: ${names.join(", ")}.`,
    "The export removes the block and cannot remove the quote: drop these pairs; validate: false exports them anyway.",
    { data: { nChecked, nLeaked, leaked } },
  );
}

export function noPairs({
  pairsIn,
  tiesDropped,
  noCompletionDropped,
  noBranchDropped,
}: Record<"pairsIn" | "tiesDropped" | "noCompletionDropped" | "noBranchDropped", number>): ExportError {
  const unbranched = noBranchDropped === 0 ? "" : `, ${noBranchDropped} do not say where they branch`;
  const what =
    pairsIn === 0
      ? "The source has no pairs."
      : `None of ${pairsIn} pairs is left: ${tiesDropped} are ties, ${noCompletionDropped} part in no agent turn with something before it${unbranched}.`;
  return new ExportError(
    "no_preference_pairs",
    what,
    pairsIn === 0
      ? "Check the file that should have them."
      : 'Build pairs whose sides part in an agent turn, or write them with format: "openai".',
    { data: { pairsIn, tiesDropped, noCompletionDropped } },
  );
}
