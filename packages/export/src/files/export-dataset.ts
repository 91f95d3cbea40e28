import type { Row } from "@while/schema";
import type { ReadFilesOptions } from "@while/schema/files";
import { isOneShot } from "../export-lines.ts";
import { EXPORT_OPTIONS, type ExportOptions, type ExportSettings, exportSettings } from "../export-options.ts";
import { ExportRun } from "../export-run.ts";
import { getFormat } from "../formats/registry.ts";
import type { ExportReport } from "../report/export-report.ts";
import { checkRows, sourceParts } from "../source.ts";
import { invalidOption } from "../training-rows.ts";
import { checkedOutput } from "./checked-output.ts";
import { DatasetInfo } from "./dataset-info.ts";
import { type DatasetSource, defaultOutput, isAsync, isPaths, isSameKnown } from "./dataset-source.ts";
import { exportChoices, type Manifest, manifestPath, writeManifest } from "./manifest.ts";
import { type KnownBeside, PathRows } from "./path-rows.ts";
import { refuseOverwrite } from "./same-file.ts";
import { hashedSources, refuseChanged } from "./source-hashes.ts";
import { writeRows } from "./write-rows.ts";

export interface ExportDatasetOptions extends ExportOptions {
  /** The file to write. Default: `<stem>.train.jsonl` beside a single file that is read, else nothing is written. */
  output?: string;
  /** Write `<output>.manifest.json`, which `checkExport` holds the file against. */
  manifest?: boolean;
  /** Put into the manifest; without it two exports of one source are equal to the byte, manifests too. */
  now?: Date;
  /** How a path is read. */
  read?: ReadFilesOptions;
  /** Write the lines in an order drawn from this seed: for trainers that read a file as it lies. */
  shuffle?: { seed: number };
}

const OPTIONS: readonly string[] = [...EXPORT_OPTIONS, "output", "manifest", "now", "read", "shuffle"];

/**
 * Writes rows as the file a trainer reads, and says what it will train on. Nothing is written before every row was
 * checked; the file appears whole or not at all.
 *
 * Rows are read twice, so that a file of any size fits: memory grows with tasks and columns. Rules that a file keeps
 * in its lines and not beside it take a third reading. A source that can be read once is held in memory, which the
 * report says.
 *
 * @throws ExportError `format_unknown`, `mask_mode_unknown`, `mask_unsupported`, `invalid_option`, `source_overwrite`,
 * `unknown_role`, `schema_invalid`, `consumer_refused`, `tool_call_roundtrip_invalid`, `privileged_leak`,
 * `empty_export`, `source_changed`; SchemaError for what is wrong with a file that is read
 */
export async function exportDataset(source: DatasetSource, options: ExportDatasetOptions = {}): Promise<ExportReport> {
  return isPaths(source) ? exportPaths(source, options) : exportRows(source, options);
}

async function exportRows(
  source: Exclude<DatasetSource, string>,
  options: ExportDatasetOptions,
): Promise<ExportReport> {
  if (options.read !== undefined) throw invalidOption("read is for paths, and the source is rows.", "Leave it out.");
  const parts = sourceParts<Iterable<Row> | AsyncIterable<Row>>(source as Iterable<Row>);
  if (!isAsync(parts.rows)) checkRows(parts.rows);
  const settings = exportSettings(options, parts, OPTIONS);
  const output = checkedOutput(options.output);
  shuffleOf(options);
  const info = await DatasetInfo.beside(output, settings.spec, "sft");
  const buffered = isOneShot(parts.rows);
  const rows = buffered ? await allOf(parts.rows) : parts.rows;

  const run = new ExportRun(settings, false);
  for await (const row of rows) run.survey(row);
  run.decide();
  const written = await writeRows(run, rows, { output, shuffle: shuffleOf(options) });
  const report = run.report(written, { buffered });
  await addManifest(report, run, { settings, options, sources: [] });
  return info === null ? report : { ...report, infoPath: await info.write() };
}

async function exportPaths(source: string | readonly string[], options: ExportDatasetOptions): Promise<ExportReport> {
  const paths = typeof source === "string" ? [source] : source;
  // Options are checked before a file is touched; what they are with the files' own rules follows below.
  exportSettings(options, { rules: NO_RULES, tools: null, mode: null }, OPTIONS);
  shuffleOf(options);
  const reader = await PathRows.open(paths, options.read ?? {});
  const output = checkedOutput(options.output ?? defaultOutput(reader, "train.jsonl"));
  if (output !== null) {
    await refuseOverwrite(output, reader.guarded);
    if (options.manifest !== false) await refuseOverwrite(manifestPath(output), reader.guarded);
  }
  const info = await DatasetInfo.beside(output, getFormat(options.format ?? "openai"), "sft");
  const sources = await hashedSources(reader.files);

  const beside = await reader.sidecars();
  let settings = exportSettings(options, { ...beside, mode: null }, OPTIONS);
  let run = await surveyed(reader, settings, beside);
  if (run === null) {
    const known = reader.known(beside);
    settings = exportSettings(options, { ...known, mode: null }, OPTIONS);
    run = new ExportRun(settings, true);
    for await (const row of reader.rows()) run.survey(row);
  }
  run.decide();
  const written = await writeRows(run, reader.rows(), {
    output,
    shuffle: shuffleOf(options),
    check: () => refuseChanged(sources),
  });
  const report = run.report(written, {
    buffered: reader.isBuffered,
    unsafeIntegers: reader.report?.unsafeIntegers ?? 0,
  });
  await addManifest(report, run, { settings, options, sources });
  return info === null ? report : { ...report, infoPath: await info.write() };
}

const NO_RULES = { text: null, sha: null, bySha: new Map<string, string>() };

/**
 * Surveys files with what lies beside them. null when the files turned out to hold rules or tools themselves, which
 * are known when they have been read to their end: then they have to be surveyed again.
 */
async function surveyed(reader: PathRows, settings: ExportSettings, beside: KnownBeside): Promise<ExportRun | null> {
  const run = new ExportRun(settings, true);
  for await (const row of reader.rows()) run.survey(row);
  const { rules, tools } = reader.known(beside);
  return isSameKnown({ rules, tools }, beside) ? run : null;
}

/** The seed to shuffle by; null leaves the order of the source. @throws ExportError `invalid_option` */
function shuffleOf({ shuffle }: ExportDatasetOptions): number | null {
  if (shuffle === undefined) return null;
  const seed: unknown = (shuffle as { seed?: unknown } | null)?.seed;
  if (typeof seed === "number" && Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw invalidOption(`shuffle is ${JSON.stringify(shuffle)}.`, "Give { seed } with a whole number from 0.");
}

async function addManifest(
  report: ExportReport,
  run: ExportRun,
  {
    settings,
    options,
    sources,
  }: { settings: ExportSettings; options: ExportDatasetOptions; sources: Manifest["sources"] },
): Promise<void> {
  const { path, sha256, bytes, rowsIn, n } = report;
  if (options.manifest === false || path === null || sha256 === null || bytes === null) return;
  await writeManifest({
    kind: "sft",
    file: { path, sha256, bytes },
    format: report.format,
    options: { ...exportChoices(settings), shuffle_seed: shuffleOf(options) },
    sources,
    rowsIn,
    rows: n,
    columns: run.columnTypes(),
    report,
    now: options.now ?? null,
  });
}

async function allOf(rows: Iterable<Row> | AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
