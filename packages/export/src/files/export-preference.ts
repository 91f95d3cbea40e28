import { basename } from "node:path";
import { checkOptions } from "@while/schema";
import { readJsonl, writeFileAtomically } from "@while/schema/files";
import { getFormat } from "../formats/registry.ts";
import {
  type PairContext,
  PREFERENCE_OPTIONS,
  type PreferenceOptions,
  preferenceLines,
} from "../preference/preference-lines.ts";
import type { PreferenceReport } from "../preference/preference-report.ts";
import type { PairSource } from "../preference/wire-pair.ts";
import { invalidOption } from "../training-rows.ts";
import { DatasetInfo } from "./dataset-info.ts";
import { PathRows } from "./path-rows.ts";
import { refuseOverwrite } from "./same-file.ts";

export interface ExportPreferenceOptions extends PreferenceOptions {
  /** The file to write. Default: nothing is written. */
  output?: string;
}

/**
 * Writes pairs as the file a preference trainer reads. Every pair is checked before anything is written, and the file
 * appears whole or not at all; without a pair there is no file.
 *
 * @param pairs Pairs, or the path of a JSONL file of them; the rules and tools of its `.meta.json` are read along
 * @throws ExportError `source_overwrite` and what `preferenceLines` throws; SchemaError for a file that is no JSONL
 */
export async function exportPreference(
  pairs: string | Iterable<PairSource>,
  options: ExportPreferenceOptions = {},
): Promise<PreferenceReport> {
  checkOptions(options, [...PREFERENCE_OPTIONS, "output"], invalidOption);
  const { output = null, ...how } = options;
  if (output !== null && (typeof output !== "string" || output === "" || /\.gz$/.test(output))) {
    throw invalidOption(`output is ${JSON.stringify(output)}.`, "Give the path of a .jsonl file to write.");
  }
  // Options are refused before a file is read.
  preferenceLines([], { ...how, validate: false });
  const read = typeof pairs === "string" ? await readPairs(pairs, output) : { pairs, context: {} };
  const name = output === null ? null : basename(output);
  const info = await DatasetInfo.beside(output, getFormat(how.format ?? "openai"), "preference");
  const { lines, report } = preferenceLines(read.pairs, how, { ...read.context, output: name });
  if (output === null || lines.length === 0) return report;
  await writeFileAtomically(output, async (file) => {
    for (let at = 0; at < lines.length; at += PIECE)
      await file.write(
        lines
          .slice(at, at + PIECE)
          .join("\n")
          .concat("\n"),
      );
  });
  return { ...report, path: output, ...(info === null ? {} : { infoPath: await info.write() }) };
}

/** Lines handed to the disk at a time. */
const PIECE = 1000;

async function readPairs(path: string, output: string | null): Promise<{ pairs: PairSource[]; context: PairContext }> {
  const files = await PathRows.open([path], {});
  if (output !== null) await refuseOverwrite(output, files.guarded);
  const { rules, tools } = await files.sidecars();
  const { rows, unsafeIntegers } = await readJsonl(path);
  return { pairs: rows as unknown as PairSource[], context: { rules, tools, unsafeIntegers } };
}
