import {
  CARRY,
  CURRENT_TRL,
  ExportError,
  type ExportOptions,
  type ExportReport,
  exportLines,
  formatExportReport,
  formats,
  MASK_MODES,
  type MaskMode,
  TRL_VERSIONS,
} from "@while/export";
import { checkExport, exportDataset, formatExportCheck } from "@while/export/files";
import type { LeakHit } from "@while/schema";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choice, zeroOrMore } from "../flag-values.ts";
import { onInterrupt } from "../io/on-interrupt.ts";
import { outputOf } from "../io/output-path.ts";
import { readAll, readOptions, sourceOf } from "../io/read-rows.ts";
import { reportSink, STDOUT } from "../io/row-output.ts";
import { print } from "../print.ts";
import { progressOf } from "../progress.ts";
import { reportError } from "../report-error.ts";
import { RULES_FLAGS, type RulesFlags, rulesOf } from "../rules-flags.ts";
import type { Call, Verb } from "../verb.ts";

interface ExportFlags extends Omit<ExportOptions, "maskMode" | "maxToolOutputChars" | keyof RulesFlags>, RulesFlags {
  mask?: MaskMode;
  maxToolOutput?: number;
  check?: boolean;
}

export const exportVerb: Verb<ExportFlags> = {
  name: "export",
  chapter: "export",
  summary: "the file a trainer reads, with the loss on the right tokens",
  flags: [
    choice("--format <format>", formatNames(), "who reads it (openai)"),
    choice("--mask <turns>", MASK_MODES, "agent turns that train (assistant)"),
    { spec: "--unroll", about: "one sample for each agent turn" },
    { spec: "--max-tool-output <n>", about: "cut what tools returned to n characters", read: zeroOrMore },
    choice("--carry <what>", CARRY, "what travels beside the conversation"),
    choice("--arguments-as <kind>", ["object", "string"], "trl: tool-call arguments (object)"),
    choice("--tools-as <kind>", ["list", "string"], "trl: the tools column (list)"),
    choice("--trl-version <v>", TRL_VERSIONS, `trl: the release it is for (${CURRENT_TRL})`),
    { spec: "--prepend-user <text>", about: "bedrock, vertex, anthropic: said first where the agent opens" },
    { spec: "--inline-tools", about: "together: calls in the text, for older clients" },
    { spec: "--base-model <name>", about: "what will be tuned: warns where calls in text do not suit it" },
    ...RULES_FLAGS,
    { spec: "--no-validate", about: "write what would be refused, and count it" },
    { spec: "--check", about: "is FILE still what its manifest says?" },
  ],
  output: { spec: "-o, --output <file>", about: "default FILE.train.jsonl, - is stdout" },
  examples: [
    { line: "wai export rl.jsonl --format trl --mask final -o sft.jsonl", about: "prompt and completion rows for TRL" },
    { line: "wai export sft.jsonl --check", about: "before training: bytes, rows and columns of the manifest" },
  ],
  exits: [
    [EXIT.holds, "the file is written, or is what its manifest says"],
    [EXIT.doesNotHold, "replies quote their privileged block, or the file differs"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    if (call.flags.check === true) return await check(call);
    try {
      print(call, await exported(call), formatExportReport, { to: reportSink(call) });
      return EXIT.holds;
    } catch (error) {
      return nameLeaks(error, call);
    }
  },
};

async function exported(call: Call<ExportFlags>): Promise<ExportReport> {
  const { mask, maxToolOutput, check: _, validate, systemPrompt, tools, ...flags } = call.flags;
  const options: ExportOptions = {
    ...flags,
    ...(await rulesOf({ systemPrompt, tools })),
    ...(validate === false ? { validate } : {}),
    ...(mask === undefined ? {} : { maskMode: mask }),
    ...(maxToolOutput === undefined ? {} : { maxToolOutputChars: maxToolOutput }),
  };
  if (call.output === STDOUT) {
    const { lines, report } = exportLines(sourceOf(await readAll(call)), options);
    call.io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return { ...report, path: STDOUT, nWritten: report.n };
  }
  const output = (await outputOf(call))((stem) => `${stem}.train.jsonl`);
  const progress = progressOf(call.verb, call.io, call.common);
  const read = { ...readOptions(call), onProgress: progress.show };
  const work = () => exportDataset(call.files, { ...options, output, read });
  return await onInterrupt(work).finally(progress.clear);
}

/** Leaks are what is checked for: each is named, and the check does not hold. */
function nameLeaks(error: unknown, { io, common }: Call): ExitCode {
  if (!(error instanceof ExportError) || error.code !== "privileged_leak") throw error;
  reportError(error, io, common);
  for (const { row, scenarioId, rolloutIndex, field, needle } of error.data.leaked as readonly LeakHit[]) {
    io.stderr.write(`  ${scenarioId ?? `row ${row}`} r${rolloutIndex ?? 0}  ${field}: ${JSON.stringify(needle)}\n`);
  }
  return EXIT.doesNotHold;
}

async function check(call: Call): Promise<ExitCode> {
  const [file, another] = call.files;
  if (another !== undefined) {
    throw new CliError("bad_arguments", "wai export --check was given several files.", "Check one file at a time.");
  }
  const report = await checkExport(file!);
  print(call, report, formatExportCheck);
  return report.ok ? EXIT.holds : EXIT.doesNotHold;
}

/** Names and aliases of the registry. */
function formatNames(): string[] {
  return formats.list().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}
