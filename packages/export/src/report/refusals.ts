import type { LeakReport } from "@while/schema";
import { ExportError } from "../export-error.ts";

/** Rows and pairs that an error names. */
const NAMED = 3;

/** Messages have parts that are no text. @param what The rows or pairs that cannot hold them */
export function partsRefused(what: string, parts: ReadonlyMap<string, number>): ExportError {
  const kinds = [...parts].map(([kind, n]) => `${n} ${kind}`).join(", ");
  return new ExportError(
    "consumer_refused",
    `${what} hold text, and messages have other parts: ${kinds}.`,
    "A conversation whose image is gone is another task: drop these; validate: false drops the parts.",
    { data: { contentPartsDropped: Object.fromEntries(parts) } },
  );
}

/** The consumer would refuse or misread rows. @param problems The first few, with their place */
export function rowsRefused(format: string, n: number, problems: readonly string[], what = "rows"): ExportError {
  return new ExportError(
    "consumer_refused",
    `${format} would refuse ${n} ${what}: ${problems.join("; ")}.`,
    `Mend or drop these ${what}; validate: false writes them as they are.`,
    { data: { refused: n } },
  );
}

/** Replies quote their own privileged block. @param what Of what they are, where not every leak matters */
export function leaksRefused(what: string, { nLeaked, nChecked, leaked }: LeakReport): ExportError {
  const names = leaked.slice(0, NAMED).map(({ row, field, scenarioId, rolloutIndex }) => {
    return `${scenarioId === null ? `row ${row}` : `${scenarioId}#${rolloutIndex ?? 0}`} (${field})`;
  });
  return new ExportError(
    "privileged_leak",
    `${nLeaked} of ${nChecked} ${what} checked quote their own privileged block: ${names.join(", ")}.`,
    "The export removes the block and cannot remove the quote: drop these rows; validate: false exports them anyway.",
    { data: { nChecked, nLeaked, leaked } },
  );
}
