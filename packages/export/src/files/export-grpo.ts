import { extname } from "node:path";
import { systemPromptStamp } from "@while/schema";
import type { ReadFilesOptions } from "@while/schema/files";
import { getFormat } from "../formats/registry.ts";
import { type GrpoOptions, GrpoRun, type GrpoSettings, grpoSettings } from "../tasks/grpo-lines.ts";
import type { GrpoReport } from "../tasks/grpo-report.ts";
import { invalidOption } from "../training-rows.ts";
import { checkedOutput } from "./checked-output.ts";
import { type DatasetSource, readSource } from "./dataset-source.ts";
import { type Manifest, manifestPath, writeManifest } from "./manifest.ts";
import { writeLines } from "./write-lines.ts";

export interface ExportGrpoOptions extends GrpoOptions {
  /** The file of training tasks; held-out ones go to `<stem>.holdout` of the same kind. Default: nothing is written. */
  output?: string;
  /** Write `<output>.manifest.json`, which `checkExport` holds the file against. */
  manifest?: boolean;
  /** Put into the manifest; without it two exports of one source are equal to the byte, manifests too. */
  now?: Date;
  /** How a path is read. */
  read?: ReadFilesOptions;
}

/**
 * Writes the tasks of rollouts as the file that a grouped trainer reads, and the held-out ones beside it: see
 * `grpoLines`. Rows stream; memory grows with tasks.
 *
 * @param source Rows, or the path or paths of files
 * @throws ExportError `source_overwrite` and what `grpoLines` throws; SchemaError for what is wrong with a file
 */
export async function exportGrpo(source: DatasetSource, options: ExportGrpoOptions = {}): Promise<GrpoReport> {
  const { output: wanted, manifest = true, now, read, ...how } = options;
  const output = checkedOutput(wanted);
  if (output !== null) refuseExtension(output, how.format ?? "trl");
  const beside = output === null ? null : holdoutPath(output);
  const outputs = output === null ? [] : [output, beside!, manifestPath(output)];
  const { run, sources } = await readSource(
    source,
    { read, outputs },
    (parts) => new GrpoRun(grpoSettings(how, parts)),
  );
  const { lines, holdout, report, columns } = run.finish();
  if (output === null) return report;
  const file = await writeLines(output, lines);
  const held = holdout.length === 0 ? null : (await writeLines(beside!, holdout)).path;
  const written: GrpoReport = { ...report, ...file, holdoutPath: held };
  if (manifest) {
    await writeManifest({
      kind: "grpo",
      file,
      format: report.format,
      options: choicesOf(run.settings),
      sources,
      rowsIn: report.tasks.prompts,
      rows: report.n,
      columns,
      report: written,
      now: now ?? null,
    });
  }
  return written;
}

/** @throws ExportError `invalid_option` for a name that the format's loader does not take */
function refuseExtension(output: string, format: string): void {
  const { name, grpo } = getFormat(format);
  const extensions = grpo?.extensions;
  if (extensions === undefined || extensions.includes(extname(output).toLowerCase())) return;
  throw invalidOption(
    `output is ${output}, and the loader of ${name} goes by the name of the file.`,
    `Call it something that ends in ${extensions.join(" or ")}.`,
  );
}

function holdoutPath(output: string): string {
  const extension = extname(output);
  return `${extension === "" ? output : output.slice(0, -extension.length)}.holdout${extension}`;
}

function choicesOf({ options, parts }: GrpoSettings): Manifest["options"] {
  const { holdout = 0.2, band, bandBy = "point", split = "hash", includePrivileged = false, validate = true } = options;
  const prompt = options.systemPrompt ?? parts.rules.text;
  return {
    holdout: typeof holdout === "number" ? holdout : [...holdout],
    band: band === undefined ? "default" : band,
    band_by: bandBy,
    split,
    data_source: options.dataSource ?? null,
    ability: options.ability ?? null,
    include_privileged: includePrivileged,
    system_prompt_sha: prompt === null || prompt === "" ? null : systemPromptStamp(prompt).sha,
    n_tools: (options.tools ?? parts.tools)?.length ?? null,
    validate,
    ...(options.against === undefined ? {} : { against: true }),
  };
}
