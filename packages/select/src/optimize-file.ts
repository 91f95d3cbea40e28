import type { Row, RowSource } from "@while/schema";
import {
  metaOf,
  type ReadFilesOptions,
  type ReadRowFiles,
  readRowFiles,
  rowPaths,
  writeJsonl,
} from "@while/schema/files";
import { type OptimizeOptions, optimize, type RlSelection, type SelectMode, type SftSelection } from "./optimize.ts";
import { type OptimizeForRlOptions, type OptimizeForRlReport, optimizeForRl } from "./rl/optimize-for-rl.ts";
import { SelectError } from "./select-error.ts";

export type OptimizeFileOptions = OptimizeOptions & {
  /** Where the rows go; `<stem>.<mode>.jsonl` beside the source when left out. It may be the source itself. */
  output?: string;
  /** How the source is read: its format, bad rows, and so on. */
  read?: ReadFilesOptions;
};

/** Where a selection was written. */
export interface Written {
  path: string;
  nWritten: number;
}

export type FileSelection =
  | (RlSelection & { report: RlSelection["report"] & Written })
  | (SftSelection & { report: SftSelection["report"] & Written });

/**
 * `optimize` from a file of any format to a JSONL file, with the system prompts, tools and mode in the sidecar beside
 * it. The source is a file, or a folder that a run was saved in. Without a mode the source's sidecar decides.
 *
 * @throws SelectError `no_output` where the source has no place for a file beside it; what `optimize` throws
 * @throws SchemaError for what cannot be read or written
 */
export async function optimizeFile(path: string, options: OptimizeFileOptions = {}): Promise<FileSelection> {
  const { output, read = {}, ...selectOptions } = options;
  const source = await readRowFiles([path], read);
  const selection = optimize(rowSource(source), selectOptions as OptimizeOptions);
  const target = output ?? (await besideSource(path, selection.mode));
  const meta = { ...metaOf(source.report), mode: selection.mode };
  const { rows: nWritten } = await writeJsonl(target, selection.rows, { meta });
  return { ...selection, report: { ...selection.report, path: target, nWritten } } as FileSelection;
}

/**
 * `optimizeForRl` from a file to a file.
 *
 * @throws SelectError `no_output` where the source has no place for a file beside it; `bad_option`
 * @throws SchemaError for what cannot be read or written
 */
export async function optimizeForRlFile(
  path: string,
  { output, read = {}, ...options }: OptimizeForRlOptions & Pick<OptimizeFileOptions, "output" | "read"> = {},
): Promise<{ rows: Row[]; report: OptimizeForRlReport & Written }> {
  const source = await readRowFiles([path], read);
  const { rows, report } = optimizeForRl(rowSource(source), options);
  const target = output ?? (await besideSource(path, "rl"));
  const { rows: nWritten } = await writeJsonl(target, rows, { meta: { ...metaOf(source.report), mode: "rl" } });
  return { rows, report: { ...report, path: target, nWritten } };
}

/** What the file says beside its rows. */
function rowSource({ rows, report }: ReadRowFiles): RowSource {
  const { mode, system_prompt: systemPrompt } = report.meta ?? {};
  return {
    rows,
    ...(typeof mode === "string" ? { mode } : {}),
    ...(typeof systemPrompt === "string" ? { systemPrompt } : {}),
    ...(report.systemPrompts.size > 0 ? { systemPrompts: report.systemPrompts } : {}),
    ...(report.tools === null ? {} : { tools: report.tools }),
  };
}

/** `runs/a.jsonl.gz` becomes `runs/a.rl.jsonl.gz`; a file of another kind becomes JSONL. */
async function besideSource(path: string, mode: SelectMode): Promise<string> {
  const files = await rowPaths([path]);
  const [file] = files;
  if (file === undefined || files.length > 1 || path === "-") {
    throw new SelectError("no_output", `${path} is not one file to write beside.`, "Say where with output.");
  }
  const [, stem, lines] = /^(.*?)(?:(\.(?:jsonl|ndjson)(?:\.gz)?)|\.[^./\\]*(?:\.gz)?)?$/s.exec(file)!;
  return `${stem}.${mode}${lines ?? ".jsonl"}`;
}
