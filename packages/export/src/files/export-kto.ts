import type { ReadFilesOptions } from "@while/schema/files";
import { type KtoOptions, KtoRun, ktoSettings } from "../kto/kto-lines.ts";
import type { KtoReport } from "../kto/kto-report.ts";
import { checkedOutput } from "./checked-output.ts";
import { DatasetInfo } from "./dataset-info.ts";
import { type DatasetSource, readSource } from "./dataset-source.ts";
import { convertChoices, manifestPath, writeManifest } from "./manifest.ts";
import { writeLines } from "./write-lines.ts";

export interface ExportKtoOptions extends KtoOptions {
  /** The file to write. Default: nothing is written. */
  output?: string;
  /** Write `<output>.manifest.json`, which `checkExport` holds the file against. */
  manifest?: boolean;
  /** Put into the manifest; without it two exports of one source are equal to the byte, manifests too. */
  now?: Date;
  /** How a path is read. */
  read?: ReadFilesOptions;
}

/**
 * Writes graded rows as the file that KTO reads: see `ktoLines`. The order of the file is the order of the training, so
 * shuffle it nowhere. What is written is held in memory, since rows of one task are dealt apart.
 *
 * @param source Rows, or the path or paths of files
 * @throws ExportError `source_overwrite` and what `ktoLines` throws; SchemaError for what is wrong with a file
 */
export async function exportKto(source: DatasetSource, options: ExportKtoOptions = {}): Promise<KtoReport> {
  const { output: wanted, manifest = true, now, read, ...how } = options;
  const output = checkedOutput(wanted);
  const { spec } = ktoSettings(how);
  const info = await DatasetInfo.beside(output, spec, "kto");
  const outputs = output === null ? [] : [output, manifestPath(output)];
  const { run, sources, unsafeIntegers } = await readSource(source, { read, outputs }, (parts) => {
    return new KtoRun(ktoSettings(how, parts));
  });
  const { lines, report, columns } = run.finish(unsafeIntegers);
  if (output === null || lines.length === 0) return report;
  const file = await writeLines(output, lines);
  const written: KtoReport = { ...report, ...file, ...(info === null ? {} : { infoPath: await info.write() }) };
  if (manifest) {
    const { convert, carry, validate, against } = run.settings;
    const { mask_mode, unroll, ...choices } = convertChoices(convert);
    await writeManifest({
      kind: "kto",
      file,
      format: report.format,
      options: { ...choices, carry, validate, ...(against === undefined ? {} : { against: true }) },
      sources,
      rowsIn: report.rowsIn,
      rows: report.n,
      columns,
      report: written,
      now: now ?? null,
    });
  }
  return written;
}
