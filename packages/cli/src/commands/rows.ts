import {
  type Census,
  CensusCollector,
  checkRows,
  formatCensus,
  formatWritten,
  otlpLines,
  type Row,
  WRITE_FORMATS,
  type WrittenRows,
  writeRowsAs,
} from "@while/schema";
import { metaOf, type RowStream, rowPaths, writeCsv, writeFileAtomically } from "@while/schema/files";
import { type SecondOpinion, SecondOpinionTally } from "@while/stats";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { choice } from "../flag-values.ts";
import { onInterrupt } from "../io/on-interrupt.ts";
import { streamRows } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, STDOUT, writeLines, writeTable } from "../io/row-output.ts";
import { print } from "../print.ts";
import type { Call, Verb } from "../verb.ts";
import { withSecondOpinion } from "../with-second-opinion.ts";

const FILE_KINDS: readonly string[] = ["jsonl", "csv", "parquet", "otlp"];

/** How a sentence calls the kinds that are files alone; the formats of other tools have their names. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ["csv", "CSV"],
  ["parquet", "Parquet"],
  ["otlp", "spans"],
]);

interface RowsFlags {
  to?: string;
  strict?: boolean;
  agent?: string;
}

export const rowsVerb: Verb<RowsFlags> = {
  name: "rows",
  chapter: "measure",
  summary: "what is in the file: tasks, grades, duplicates; converts it",
  flags: [
    { spec: "--strict", about: "also refuse what makes a number wrong, for use in CI" },
    choice("--to <kind>", [...FILE_KINDS, ...WRITE_FORMATS], "what -o writes (by its name)"),
    { spec: "--agent <name>", about: "otlp: whose runs the spans are, one run a line" },
  ],
  output: { spec: "-o, --output <file>", about: "write the rows there too, - is stdout" },
  examples: [
    { line: "wai rows rollouts.jsonl", about: "what is in the file, and what is wrong with it" },
    { line: "wai rows results.json --from tau-bench -o rows.parquet", about: "its rows as a table for pandas" },
  ],
  exits: [
    [EXIT.holds, "every row was read"],
    [EXIT.failed, "a bad row (unless --skip-bad), a flag or a file"],
  ],
  async run(call) {
    refuseIdle(call);
    const report = call.output === undefined ? await counted(call) : await converted(call, call.output);
    if (report !== null) print(call, report, formatReport, { to: reportSink(call) });
    return EXIT.holds;
  },
};

/** @throws CliError `bad_flag` for a flag that would do nothing: nobody would learn that nothing was written */
function refuseIdle({ output, flags: { to, agent } }: Call<RowsFlags>): void {
  if (output === undefined && to !== undefined) {
    throw new CliError("bad_flag", "--to says what -o writes, and there is no -o.", "Name the file with -o FILE.");
  }
  if (agent !== undefined && (output === undefined || kindOf(to, output) !== "otlp")) {
    throw new CliError("bad_flag", "--agent is of spans alone.", "Leave it out, or give --to otlp -o FILE.");
  }
}

/** What is written, by the flag or by the name of the file. */
function kindOf(to: string | undefined, output: string): string {
  return to ?? FILE_KINDS.find((kind) => output.endsWith(`.${kind}`)) ?? "jsonl";
}

/** `written` is of the formats of other tools, which do not hold everything. */
type RowsReport = Census & { secondOpinion: SecondOpinion | null; written?: WrittenRows };

const formatCounted = withSecondOpinion(formatCensus);

function formatReport(report: RowsReport): string {
  const { written, ...counted } = report;
  return written === undefined ? formatCounted(counted) : `${formatCounted(counted)}\n\n${formatWritten(written)}`;
}

async function counted(call: Call<RowsFlags>): Promise<RowsReport> {
  const opinion = new SecondOpinionTally();
  const stream = streamRows(call, (row, file) => opinion.add(row, file));
  const census = new CensusCollector();
  for await (const row of checked(call, stream)) census.add(row);
  const report = stream.report();
  return { ...census.census({ report }), secondOpinion: opinion.report(report) };
}

/** Counts the rows on their way into a file; null when the reader of stdout went away before the last one. */
async function converted(call: Call<RowsFlags>, output: string): Promise<RowsReport | null> {
  // The same rows in another form: a sidecar that both share says the same of them.
  await refuseOverwrite(call.files, output, { sidecar: (await rowPaths(call.files)).length > 1 });
  const opinion = new SecondOpinionTally();
  const stream = streamRows(call, (row, file) => opinion.add(row, file));
  const census = new CensusCollector();
  async function* rows(): AsyncGenerator<Row> {
    for await (const row of checked(call, stream)) {
      census.add(row);
      yield row;
    }
  }
  const meta = () => metaOf(stream.report());
  const to = kindOf(call.flags.to, output);
  if (to !== "jsonl" && output === STDOUT) {
    throw new CliError(
      "bad_arguments",
      `wai rows writes ${TITLES.get(to) ?? to} to a file alone.`,
      "Name it with -o FILE.",
    );
  }
  const { agent } = call.flags;
  if (to === "otlp" && agent === undefined) {
    throw new CliError("bad_arguments", "Spans are of an agent, and none was named.", "Name it with --agent NAME.");
  }
  let written: WrittenRows | undefined;
  if (WRITE_FORMATS.includes(to)) written = await writeOther(to, output, { rows: await all(rows()), stream });
  else if (to === "otlp") await writeSpans(output, await all(rows()), agent!);
  else if (to === "parquet") await writeTable(output, rows(), meta);
  // The header of CSV needs every row.
  else if (to === "csv") await writeCsv(output, await all(rows()));
  else if (!(await writeLines(output, rows(), meta))) return null;
  const report = stream.report();
  const counted = { ...census.census({ report }), secondOpinion: opinion.report(report) };
  return written === undefined ? counted : { ...counted, written };
}

/** With `--strict` no row is handed on before all were checked. */
async function* checked({ flags, files }: Call<RowsFlags>, stream: RowStream): AsyncGenerator<Row> {
  if (flags.strict !== true) {
    yield* stream;
    return;
  }
  const rows = await all(stream);
  checkRows(rows, { level: "strict", where: files.join(", ") });
  yield* rows;
}

async function all(stream: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of stream) rows.push(row);
  return rows;
}

async function writeOther(
  format: string,
  output: string,
  { rows, stream }: { rows: readonly Row[]; stream: RowStream },
): Promise<WrittenRows> {
  const { systemPrompts, tools } = stream.report();
  // The one time that a file says of itself is when it was made.
  const source = { rows, systemPrompts, ...(tools === null ? {} : { tools }) };
  const file = writeRowsAs(source, format, { now: Date.now() });
  await onInterrupt(() =>
    writeFileAtomically(output, async (out) => {
      for (const piece of file) await out.write(piece);
    }),
  );
  return file.report();
}

async function writeSpans(output: string, rows: readonly Row[], agent: string): Promise<void> {
  await onInterrupt(() =>
    writeFileAtomically(output, async (file) => {
      // The one time that a file holds: runs are sent as of now.
      for (const line of otlpLines(rows, { agent, steps: true, now: Date.now() })) await file.write(`${line}\n`);
    }),
  );
}
