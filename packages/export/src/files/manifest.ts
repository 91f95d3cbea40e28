import { readFile } from "node:fs/promises";
import { isObject, systemPromptStamp, toWire } from "@while/schema";
import { writeFileAtomically } from "@while/schema/files";
import packageJson from "../../package.json" with { type: "json" };
import { ExportError } from "../export-error.ts";
import type { ExportSettings } from "../export-options.ts";
import type { ExportReport } from "../report/export-report.ts";

/** What `<out>.manifest.json` says: how a file was made, and how to tell whether it is still that file. */
export interface Manifest {
  schema_version: "1";
  sdk_version: string;
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

export async function writeManifest(
  report: ExportReport & { path: string; sha256: string; bytes: number },
  {
    settings,
    sources,
    columns,
    now,
  }: { settings: ExportSettings; sources: Manifest["sources"]; columns: ReadonlyMap<string, string>; now: Date | null },
): Promise<void> {
  const manifest: Manifest = {
    schema_version: "1",
    sdk_version: packageJson.version,
    format: report.format,
    options: optionsOf(settings),
    sources,
    rows_in: report.rowsIn,
    rows: report.n,
    sha256: report.sha256,
    bytes: report.bytes,
    columns: Object.fromEntries(columns),
    counters: countersOf(report),
    requires: toWire(report.requires),
    ...(now === null ? {} : { date: now.toISOString() }),
  };
  await writeFileAtomically(manifestPath(report.path), (file) => file.write(`${JSON.stringify(manifest, null, 2)}\n`));
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
function optionsOf({ convert, format, carry, validate }: ExportSettings): Record<string, unknown> {
  const { systemPrompt, rules, tools, sourceTools, maskMode } = convert;
  const prompt = systemPrompt ?? rules.text;
  return {
    mask_mode: typeof maskMode === "function" ? "function" : maskMode,
    unroll: convert.unroll,
    strip_think: convert.stripThink,
    max_tool_output_chars: convert.maxToolOutputChars,
    carry,
    validate,
    arguments_as: format.argumentsAs,
    tools_as: format.toolsAs,
    trl_version: format.trlVersion,
    trainer_config: format.trainerConfig,
    chat_template_kwargs: format.chatTemplateKwargs,
    system_prompt_sha: prompt === null || prompt === "" ? null : systemPromptStamp(prompt).sha,
    n_tools: (tools ?? sourceTools)?.length ?? null,
  };
}

/** The numbers of the report: what is in it, what was cut and what was left out. */
function countersOf(report: ExportReport): Record<string, unknown> {
  const { path, sha256, bytes, warnings, requires, privilegedLeaks, ...rest } = report;
  return toWire(rest) as Record<string, unknown>;
}
