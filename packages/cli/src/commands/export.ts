import {
  CARRY,
  CURRENT_TRL,
  describeFormat,
  ExportError,
  formatFormatDescription,
  formats,
  MASK_MODES,
  TOOL_OUTPUT_KEEPS,
  TRL_VERSIONS,
} from "@while/export";
import { checkExport, checkRowsFor, formatExportCheck, formatRowsCheck } from "@while/export/files";
import type { LeakHit } from "@while/schema";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { EXPORT_KINDS, type ExportFlags, exportRows, THINK, templateIn } from "../export-rows.ts";
import { band, choice, settings, share, zeroOrMore } from "../flag-values.ts";
import { print } from "../print.ts";
import { reportError } from "../report-error.ts";
import { RULES_FLAGS } from "../rules-flags.ts";
import type { Call, Verb } from "../verb.ts";

export const exportVerb: Verb<ExportFlags> = {
  name: "export",
  chapter: "export",
  summary: "the file a trainer reads, with the loss on the right tokens",
  flags: [
    choice("--format <format>", formatNames(), "who reads it (openai; for kto and grpo trl)"),
    choice("--kind <kind>", EXPORT_KINDS, "rows to imitate, judged replies, or tasks for RL (sft)"),
    choice("--mask <turns>", MASK_MODES, "agent turns that train (assistant)"),
    { spec: "--unroll", about: "one sample for each agent turn" },
    { spec: "--max-tool-output <n>", about: "cut what tools returned to n characters", read: zeroOrMore },
    choice("--tool-output-keep <what>", TOOL_OUTPUT_KEEPS, "what is kept of them (head)"),
    choice("--think <what>", THINK, "think text; auto: by --template or --base-model (strip)"),
    { spec: "--against <files...>", about: "an evaluation: leave out the rows that it holds, and say which" },
    { spec: "--drop-eval-sourced", about: "leave out rows of scored evals, and count them" },
    { spec: "--trainer-config <a=b,...>", about: "set in the trainer: assistant_only_loss=true", read: settings },
    choice("--carry <what>", CARRY, "what travels beside the conversation"),
    choice("--arguments-as <kind>", ["object", "string"], "trl: tool-call arguments (object)"),
    choice("--tools-as <kind>", ["list", "string"], "trl: the tools column (list)"),
    choice("--trl-version <v>", TRL_VERSIONS, `trl: the release it is for (${CURRENT_TRL})`),
    { spec: "--prepend-user <text>", about: "bedrock, vertex, anthropic: said first where the agent opens" },
    { spec: "--inline-tools", about: "together: calls in the text, for older clients" },
    { spec: "--template <file>", about: "chat template of the model: refuse what it breaks, show what trains" },
    { spec: "--base-model <name>", about: "what will be tuned: warns where calls in text do not suit it" },
    { spec: "--holdout <share>", about: "grpo: tasks to hold out (0.2)", read: share },
    { spec: "--band <low,high>", about: "grpo: pass rates of training tasks (0.2,0.8)", read: band },
    choice("--band-by <rule>", ["point", "interval"], "grpo: drop by the rate, or only where it is sure (point)"),
    choice("--split <rule>", ["hash", "stratified"], "grpo: how tasks are held out (hash)"),
    { spec: "--data-source <name>", about: "grpo: which reward function is asked (while)" },
    { spec: "--include-privileged", about: "grpo: what the grader knows, into info_json" },
    { spec: "--shuffle <seed>", about: "sft: lines in an order drawn from a seed", read: zeroOrMore },
    ...RULES_FLAGS,
    { spec: "--no-validate", about: "write what would be refused, and count it" },
    { spec: "--check", about: "is FILE what its manifest says? With --format: what that trainer reads?" },
    choice("--describe <format>", formatNames(), "no FILE: what its trainer trains on, on a sample"),
  ],
  needsNoFile: ({ describe }) => describe !== undefined,
  output: { spec: "-o, --output <file>", about: "default FILE.train.jsonl (.kto, .grpo); .parquet; - is stdout" },
  examples: [
    { line: "wai export rl.jsonl --format trl --mask final -o sft.jsonl", about: "prompt and completion rows for TRL" },
    { line: "wai export sft.jsonl --check", about: "before training: bytes, rows and columns of the manifest" },
  ],
  exits: [
    [EXIT.holds, "the file is written, or is what its manifest says"],
    [EXIT.doesNotHold, "replies quote their privileged block, or the file does not pass --check"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    if (call.flags.check === true) return await check(call);
    if (call.flags.describe !== undefined) return await describe(call, call.flags.describe);
    try {
      await exportRows(call);
      return EXIT.holds;
    } catch (error) {
      return nameLeaks(error, call);
    }
  },
};

/** Leaks are what is checked for: each is named, and the check does not hold. */
function nameLeaks(error: unknown, { io, common }: Call): ExitCode {
  if (!(error instanceof ExportError) || error.code !== "privileged_leak") throw error;
  reportError(error, io, common);
  for (const { row, scenarioId, rolloutIndex, field, needle } of error.data.leaked as readonly LeakHit[]) {
    io.stderr.write(`  ${scenarioId ?? `row ${row}`} r${rolloutIndex ?? 0}  ${field}: ${JSON.stringify(needle)}\n`);
  }
  return EXIT.doesNotHold;
}

async function check(call: Call<ExportFlags>): Promise<ExitCode> {
  const [file, another] = call.files;
  if (another !== undefined) {
    throw new CliError("bad_arguments", "wai export --check was given several files.", "Check one file at a time.");
  }
  // A file that somebody else made has no manifest: its rows are held against what the trainer reads.
  const { format } = call.flags;
  if (format !== undefined) {
    const rows = await checkRowsFor(file!, { format });
    print(call, rows, formatRowsCheck);
    return rows.ok ? EXIT.holds : EXIT.doesNotHold;
  }
  const report = await checkExport(file!);
  print(call, report, formatExportCheck);
  return report.ok ? EXIT.holds : EXIT.doesNotHold;
}

async function describe(call: Call<ExportFlags>, format: string): Promise<ExitCode> {
  if (call.files.length > 0) {
    throw new CliError("bad_arguments", "wai export --describe was given a file.", "Describe a format without one.");
  }
  const { kind, mask, unroll, template } = call.flags;
  const description = describeFormat(format, {
    ...(kind === undefined ? {} : { kind }),
    ...(mask === undefined ? {} : { maskMode: mask }),
    ...(unroll === undefined ? {} : { unroll }),
    ...(template === undefined ? {} : { template: await templateIn(template) }),
  });
  print(call, description, formatFormatDescription);
  return EXIT.holds;
}

/** Names and aliases of the registry. */
function formatNames(): string[] {
  return formats.list().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}
