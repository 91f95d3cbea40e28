import {
  CARRY,
  ExportError,
  formatPreferenceReport,
  formats,
  type PreferenceOptions,
  type PreferenceReport,
} from "@while/export";
import { exportPreference } from "@while/export/files";
import type { LeakHit } from "@while/schema";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { choice } from "../flag-values.ts";
import { onInterrupt } from "../io/on-interrupt.ts";
import { outputOf } from "../io/output-path.ts";
import { STDOUT } from "../io/row-output.ts";
import { print } from "../print.ts";
import { reportError } from "../report-error.ts";
import { RULES_FLAGS, type RulesFlags, rulesOf } from "../rules-flags.ts";
import type { Call, Verb } from "../verb.ts";

interface ExportPairsFlags extends Omit<PreferenceOptions, keyof RulesFlags | "dropTies" | "stripThink">, RulesFlags {
  keepTies?: boolean;
  keepThink?: boolean;
}

export const exportPairsVerb: Verb<ExportPairsFlags> = {
  name: "export-pairs",
  chapter: "export",
  summary: "pairs of replies, cut as a preference trainer reads them",
  flags: [
    choice("--format <format>", formatNames(), "who reads them (openai)"),
    choice("--carry <what>", CARRY, "what travels beside the pair"),
    { spec: "--keep-ties", about: "also pairs of which neither side is better" },
    { spec: "--keep-think", about: "leave <think> text in replies" },
    ...RULES_FLAGS,
    { spec: "--no-validate", about: "write what would be refused, and count it" },
  ],
  output: { spec: "-o, --output <file>", about: "default FILE.FORMAT.jsonl" },
  examples: [
    { line: "wai export-pairs pairs.jsonl --format trl -o dpo.jsonl", about: "what wai pairs made, for TRL's DPO" },
    { line: "wai export-pairs pairs.jsonl --format trl --json", about: "the same, with the report as JSON" },
  ],
  exits: [
    [EXIT.holds, "the file is written"],
    [EXIT.doesNotHold, "chosen replies quote their privileged block, or no pair is left"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    try {
      print(call, await exported(call), formatPreferenceReport);
      return EXIT.holds;
    } catch (error) {
      if (!(error instanceof ExportError) || !FINDINGS.has(error.code)) throw error;
      reportError(error, call.io, call.common);
      for (const { row, field, needle } of (error.data.leaked ?? []) as readonly LeakHit[]) {
        call.io.stderr.write(`  pair ${row}  ${field}: ${JSON.stringify(needle)}\n`);
      }
      return EXIT.doesNotHold;
    }
  },
};

/** What is wrong with the pairs, and not with the command. */
const FINDINGS: ReadonlySet<string> = new Set(["privileged_leak", "no_preference_pairs"]);

async function exported(call: Call<ExportPairsFlags>): Promise<PreferenceReport> {
  const [file, another] = call.files;
  if (file === undefined || another !== undefined) {
    throw new CliError(
      "bad_arguments",
      `wai export-pairs was given ${call.files.length} files.`,
      "Name one file of pairs.",
    );
  }
  if (call.output === STDOUT) {
    throw new CliError("bad_arguments", "wai export-pairs writes a file and not stdout.", "Name it with -o FILE.");
  }
  const { keepTies, keepThink, systemPrompt, tools, format = "openai", validate, ...flags } = call.flags;
  const output = (await outputOf(call))((stem) => `${stem}.${format}.jsonl`);
  const options = {
    ...flags,
    ...(await rulesOf({ systemPrompt, tools })),
    ...(keepTies === true ? { dropTies: false } : {}),
    ...(keepThink === true ? { stripThink: false } : {}),
    ...(validate === false ? { validate } : {}),
    format,
    output,
  };
  return await onInterrupt(() => exportPreference(file, options));
}

/** Formats that have rows for pairs, by name and alias. */
function formatNames(): string[] {
  return formats
    .list()
    .filter(({ preference }) => preference !== undefined)
    .flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}
