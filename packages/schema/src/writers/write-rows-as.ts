import { refuseUnknownVersion } from "../checks/known-versions.ts";
import { checkOptions } from "../options/check-options.ts";
import { nearestName } from "../options/nearest-name.ts";
import { scrubRow } from "../privileged/scrub-row.ts";
import type { Row } from "../row.ts";
import type { RowSource } from "../row-source.ts";
import { SchemaError } from "../schema-error.ts";
import type { WriteAsOptions } from "./rows-writer.ts";
import { WriteTally, type WrittenRows } from "./write-tally.ts";
import { WRITERS } from "./writers.ts";

/** Names of the formats that `writeRowsAs` knows. */
export const WRITE_FORMATS: readonly string[] = Object.freeze(WRITERS.map(({ name }) => name));

/** A file that is being written, piece by piece. */
export interface RowsAsText extends Iterable<string> {
  /** What the file does not hold; whole when the last piece was taken. */
  report(): WrittenRows;
}

/**
 * Rows as a file of another tool: `openai` (chat lines), `inspect` (a JSON log) or `tau-bench` (results). Read back by
 * `readRows`, the file has the same tasks, rewards and conversations; what it has no place for is counted, and nothing
 * privileged is in it.
 *
 * @param source Rows, and the rules and tools that they do not hold themselves
 * @throws SchemaError `bad_option`; while pieces are taken, `bad_value` for rows that the format would tell wrongly,
 * `unknown_schema_version` and `bad_file` without rows
 */
export function writeRowsAs(
  source: readonly Row[] | RowSource,
  format: string,
  options: WriteAsOptions = {},
): RowsAsText {
  const refused = (what: string, fix: string) => new SchemaError("bad_option", what, fix);
  checkOptions(options, ["now"], refused);
  const writer = WRITERS.find(({ name }) => name === format);
  if (writer === undefined) {
    const near = nearestName(format, WRITE_FORMATS);
    const hint = near === null ? "" : ` (nearest: ${near})`;
    throw refused(`Rows are not written as "${format}"${hint}.`, `Pass one of ${WRITE_FORMATS.join(", ")}.`);
  }
  const given: RowSource = "rows" in source ? source : { rows: source };
  if (given.rows.length === 0) {
    throw new SchemaError("bad_file", "There are no rows to write.", "Give at least one.");
  }
  const tally = new WriteTally(format);
  return {
    *[Symbol.iterator]() {
      const rows = given.rows.map((row) => {
        refuseUnknownVersion(row);
        const { row: kept, removed } = scrubRow(row);
        tally.leave(removed.map((path) => path.replace(/\[\d+\]/g, "[]")));
        return kept;
      });
      yield* writer.pieces({ ...given, rows }, tally, options);
    },
    report: () => tally.report,
  };
}
