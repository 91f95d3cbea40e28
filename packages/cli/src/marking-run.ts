import type { Row } from "@while/schema";
import { metaOf } from "@while/schema/files";
import { markerSummary } from "@while/stats";
import { CliError } from "./cli-error.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Flag } from "./flag.ts";
import { list } from "./flag-values.ts";
import { readAll } from "./io/read-rows.ts";
import { refuseOverwrite, reportSink, writeRows } from "./io/row-output.ts";
import { print } from "./print.ts";
import { exitOfRequired } from "./required-markers.ts";
import type { Call } from "./verb.ts";

export interface RequireFlags {
  require?: readonly string[];
}

export const REQUIRE_FLAG: Flag = {
  spec: "--require <markers>",
  about: "exit 1 where one of these is below 1 on a row: NAME,..",
  read(text, flag) {
    const names = list(text, flag) as string[];
    if (names.length > 0) return names;
    throw new CliError("bad_flag", `${flag} got "${text}".`, `Give ${flag} the names of markers: NAME,..`);
  },
};

/** What a verb that stamps markers does with the rows. */
export interface Marking<Report> {
  /** The markers it stamps. */
  names: readonly string[];
  report(rows: readonly Row[]): Report;
  stamp(rows: readonly Row[]): Row[];
  format(report: Report): string;
  /** Whether a row could be measured at all. */
  isMeasured(report: Report): boolean;
}

/**
 * Reads the rows, writes them stamped to `-o`, prints the report, and answers what `--require` asks.
 *
 * @throws CliError `bad_flag` for a required marker that is not stamped here, `same_file`
 */
export async function runMarking<Report>(
  call: Call<RequireFlags>,
  { names, report, stamp, format, isMeasured }: Marking<Report>,
): Promise<ExitCode> {
  const { output } = call;
  const { require = [] } = call.flags;
  if (output !== undefined) await refuseOverwrite(call.files, output);
  const read = await readAll(call);
  const found = report(read.rows);
  const stamped = stamp(read.rows);
  const markers = new Map([...markerSummary(stamped, { names })].map(([name, { mean }]) => [name, { clean: mean }]));
  const code = exitOfRequired(require, markers);
  if (output !== undefined) await writeRows(output, stamped, () => metaOf(read.report));
  print(call, found, format, { to: reportSink(call) });
  return isMeasured(found) ? code : EXIT.cannotTell;
}
