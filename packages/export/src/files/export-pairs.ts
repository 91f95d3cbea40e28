import { basename } from "node:path";
import { readJsonl } from "@while/schema/files";
import {
  type PairContext,
  type PairKind,
  type PairSettings,
  pairLines,
  pairSettings,
} from "../preference/pair-lines.ts";
import type { PreferenceReport } from "../preference/preference-report.ts";
import type { PairSource } from "../preference/wire-pair.ts";
import { checkedOutput } from "./checked-output.ts";
import { DatasetInfo } from "./dataset-info.ts";
import { convertChoices, type Manifest, manifestPath, writeManifest } from "./manifest.ts";
import { PathRows } from "./path-rows.ts";
import { refuseOverwrite } from "./same-file.ts";
import { hashedSources } from "./source-hashes.ts";
import { writeLines } from "./write-lines.ts";

/** Where a file of pairs goes. */
export interface PairFileOptions {
  /** The file to write. Default: nothing is written. */
  output?: string;
  /** Write `<output>.manifest.json`, which `checkExport` holds the file against. */
  manifest?: boolean;
  /** Put into the manifest; without it two exports of one source are equal to the byte, manifests too. */
  now?: Date;
}

/** Writes pairs of either kind. Nothing is written before every pair was checked; without a pair there is no file. */
export async function exportPairs(
  kind: PairKind,
  pairs: string | Iterable<PairSource>,
  { output: wanted, manifest = true, now, ...how }: PairFileOptions & Parameters<typeof pairSettings>[1],
): Promise<PreferenceReport> {
  const output = checkedOutput(wanted);
  // Options are refused before a file is read.
  const { spec } = pairSettings(kind, how);
  const info = await DatasetInfo.beside(output, spec, kind);
  const read: PairsRead =
    typeof pairs === "string" ? await readPairs(pairs, output) : { pairs, context: {}, sources: [] };
  const settings = pairSettings(kind, how, read.context);
  const name = output === null ? null : basename(output);
  const { lines, report, columns } = pairLines(read.pairs, settings, { ...read.context, output: name });
  if (output === null || lines.length === 0) return report;
  const file = await writeLines(output, lines);
  const written: PreferenceReport = { ...report, ...file, ...(info === null ? {} : { infoPath: await info.write() }) };
  if (manifest) {
    await writeManifest({
      kind,
      file,
      format: report.format,
      options: choicesOf(settings),
      sources: read.sources,
      rowsIn: report.pairsIn,
      rows: report.pairs,
      columns,
      report: written,
      now: now ?? null,
    });
  }
  return written;
}

interface PairsRead {
  pairs: Iterable<PairSource>;
  context: PairContext;
  sources: Manifest["sources"];
}

async function readPairs(path: string, output: string | null): Promise<PairsRead> {
  const files = await PathRows.open([path], {});
  if (output !== null) {
    await refuseOverwrite(output, files.guarded);
    await refuseOverwrite(manifestPath(output), files.guarded);
  }
  const { rules, tools } = await files.sidecars();
  const { rows, unsafeIntegers } = await readJsonl(path);
  const sources = await hashedSources(files.files);
  return { pairs: rows as unknown as PairSource[], context: { rules, tools, unsafeIntegers }, sources };
}

function choicesOf({
  convert,
  carry,
  validate,
  dropTies,
  point,
  marginColumn,
  kind,
}: PairSettings): Manifest["options"] {
  const { mask_mode, unroll, max_tool_output_chars, ...choices } = convertChoices(convert);
  const kinds = kind === "preference" ? { point } : { margin_column: marginColumn };
  return { ...choices, drop_ties: dropTies, ...kinds, carry, validate };
}
