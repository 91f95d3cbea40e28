import { readFile } from "node:fs/promises";
import { isObject, sha256Hex, systemPromptStamp, toWire } from "@while/schema";
import { writeFileAtomically } from "@while/schema/files";
import packageJson from "../../package.json" with { type: "json" };
import type { ConvertSettings } from "../convert-row.ts";
import { ExportError } from "../export-error.ts";
import type { ExportSettings } from "../export-options.ts";
import type { WrittenFile } from "../export-run.ts";
import type { RowKind } from "../formats/format-spec.ts";
import type { Requirement } from "../formats/requirement.ts";

/** What `<out>.manifest.json` says: how a file was made, and how to tell whether it is still that file. */
export interface Manifest {
  schema_version: "1";
  sdk_version: string;
  /** What the rows are for; absent in manifests of supervised rows that older versions wrote. */
  kind?: RowKind;
  format: string;
  options: Record<string, unknown>;
  /** The files that were read; empty for rows in memory. */
  sources: { path: string; sha256: string }[];
  rows_in: number;
  rows: number;
  sha256: string;
  bytes: number;
  /** Columns with their types, in Arrow's words; `mixed` for those without one. */
  columns: Record<string, string>;
  /** The report's numbers. */
  counters: Record<string, unknown>;
  requires: unknown;
  /** Only when the caller gave the time. */
  date?: string;
}

export function manifestPath(path: string): string {
  return `${path}.manifest.json`;
}

/** What a manifest is made of. */
export interface ManifestFacts {
  kind: RowKind;
  file: WrittenFile;
  format: string;
  /** Every choice that shaped the file. */
  options: Record<string, unknown>;
  sources: Manifest["sources"];
  rowsIn: number;
  rows: number;
  columns: ReadonlyMap<string, string>;
  report: { requires: readonly Requirement[] };
  now: Date | null;
}

export async function writeManifest({ kind, file, columns, report, now, ...facts }: ManifestFacts): Promise<void> {
  const manifest: Manifest = {
    schema_version: "1",
    sdk_version: packageJson.version,
    kind,
    format: facts.format,
    options: facts.options,
    sources: facts.sources,
    rows_in: facts.rowsIn,
    rows: facts.rows,
    sha256: file.sha256,
    bytes: file.bytes,
    columns: Object.fromEntries(columns),
    counters: countersOf(report),
    requires: toWire(report.requires),
    ...(now === null ? {} : { date: now.toISOString() }),
  };
  await writeFileAtomically(manifestPath(file.path), (open) => open.write(`${JSON.stringify(manifest, null, 2)}\n`));
}

/** @throws ExportError `no_manifest` */
export async function readManifest(path: string): Promise<Manifest> {
  let cause: unknown;
  try {
    const manifest: unknown = JSON.parse(await readFile(manifestPath(path), "utf8"));
    if (isManifest(manifest)) return manifest;
  } catch (error) {
    cause = error;
  }
  throw new ExportError(
    "no_manifest",
    `${manifestPath(path)} is missing or no manifest, so there is nothing to hold ${path} against.`,
    "Export the file again with manifest on, or bring the manifest along.",
    { cause },
  );
}

function isManifest(value: unknown): value is Manifest {
  return (
    isObject(value) &&
    typeof value.format === "string" &&
    typeof value.sha256 === "string" &&
    typeof value.rows === "number" &&
    typeof value.bytes === "number" &&
    isObject(value.columns) &&
    isObject(value.options)
  );
}

/** Every choice that shaped the file; of long texts the sha that rows name them by. */
export function exportChoices({
  convert,
  format,
  carry,
  validate,
  dropEvalSourced,
  against,
}: ExportSettings): Record<string, unknown> {
  return {
    ...convertChoices(convert),
    carry,
    validate,
    ...(dropEvalSourced ? { drop_eval_sourced: true } : {}),
    ...(against === undefined ? {} : { against: true }),
    arguments_as: format.argumentsAs,
    tools_as: format.toolsAs,
    trl_version: format.trlVersion,
    trainer_config: format.trainerConfig,
    chat_template_kwargs: format.chatTemplateKwargs,
    ...(format.prependUser === null ? {} : { prepend_user: format.prependUser }),
    ...(format.inlineTools ? { inline_tools: true } : {}),
    ...(format.template === null ? {} : { template_sha: sha256Hex(format.template).slice(0, 16) }),
    ...(format.baseModel === null ? {} : { base_model: format.baseModel }),
  };
}

/** How rows became conversations. */
export function convertChoices(convert: ConvertSettings): Record<string, unknown> {
  const { systemPrompt, rules, tools, sourceTools, maskMode } = convert;
  const prompt = systemPrompt ?? rules.text;
  return {
    mask_mode: typeof maskMode === "function" ? "function" : maskMode,
    unroll: convert.unroll,
    strip_think: convert.stripThink,
    max_tool_output_chars: convert.maxToolOutputChars,
    ...(convert.toolOutputKeep === "head" ? {} : { tool_output_keep: convert.toolOutputKeep }),
    system_prompt_sha: prompt === null || prompt === "" ? null : systemPromptStamp(prompt).sha,
    n_tools: (tools ?? sourceTools)?.length ?? null,
  };
}

/** The numbers of the report: what is in it, what was cut and what was left out. */
function countersOf(report: object): Record<string, unknown> {
  const { path, holdoutPath, infoPath, sha256, bytes, warnings, requires, privilegedLeaks, kind, ...rest } =
    report as Record<string, unknown>;
  return toWire(rest) as Record<string, unknown>;
}
