import {
  CARRY,
  ExportError,
  formatPreferenceReport,
  formats,
  PAIR_POINTS,
  type PreferenceOptions,
  type PreferenceReport,
  type RewardModelOptions,
} from "@while/export";
import { exportPreference, exportRewardModel } from "@while/export/files";
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

const KINDS = ["preference", "reward-model"] as const;

interface ExportPairsFlags
  extends Omit<PreferenceOptions, keyof RulesFlags | "dropTies" | "stripThink">,
    Pick<RewardModelOptions, "marginColumn">,
    RulesFlags {
  kind?: (typeof KINDS)[number];
  keepTies?: boolean;
  keepThink?: boolean;
}

export const exportPairsVerb: Verb<ExportPairsFlags> = {
  name: "export-pairs",
  chapter: "export",
  summary: "pairs of replies, cut as a preference trainer reads them",
  names: { usage: "PAIRS", least: 1, most: 1 },
  flags: [
    choice("--format <format>", formatNames(), "who reads them (openai; for a reward model trl)"),
    choice("--kind <kind>", KINDS, "for a trainer that compares replies, or one that scores them (preference)"),
    choice(
      "--point <turn>",
      PAIR_POINTS,
      "compare the first turn that differs, or where lineage.branch_at says (first)",
    ),
    { spec: "--margin-column", about: "reward-model: write margins, which trainers subtract inside the loss" },
    choice("--carry <what>", CARRY, "what travels beside the pair"),
    { spec: "--keep-ties", about: "also pairs of which neither side is better" },
    { spec: "--keep-think", about: "leave <think> text in replies" },
    ...RULES_FLAGS,
    { spec: "--no-validate", about: "write what would be refused, and count it" },
  ],
  output: { spec: "-o, --output <file>", about: "default FILE.FORMAT.jsonl" },
  examples: [
    { line: "wai export-pairs pairs.jsonl --format trl -o dpo.jsonl", about: "what wai pairs made, for TRL's DPO" },
    { line: "wai export-pairs pairs.jsonl --kind reward-model -o rm.jsonl", about: "both sides whole, to be scored" },
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
  const [file] = call.names as [string];
  if (call.output === STDOUT) {
    throw new CliError("bad_arguments", "wai export-pairs writes a file and not stdout.", "Name it with -o FILE.");
  }
  const { keepTies, keepThink, systemPrompt, tools, validate, kind = "preference", ...flags } = call.flags;
  const format = flags.format ?? (kind === "preference" ? "openai" : "trl");
  refuseOthers(call.flags, kind);
  const output = (await outputOf({ ...call, files: call.names }))(
    (stem) => `${stem}.${format}${kind === "preference" ? "" : ".rm"}.jsonl`,
  );
  const options = {
    ...flags,
    ...(await rulesOf({ systemPrompt, tools })),
    ...(keepTies === true ? { dropTies: false } : {}),
    ...(keepThink === true ? { stripThink: false } : {}),
    ...(validate === false ? { validate } : {}),
    format,
    output,
  };
  return await onInterrupt(() =>
    kind === "preference" ? exportPreference(file, options) : exportRewardModel(file, options),
  );
}

/** @throws CliError `bad_flag` for a flag that only the other kind reads */
function refuseOthers({ point, marginColumn }: ExportPairsFlags, kind: (typeof KINDS)[number]): void {
  const other = kind === "preference" ? marginColumn && "--margin-column" : point && "--point";
  if (other === undefined || other === false) return;
  const meant = kind === "preference" ? "reward-model" : "preference";
  throw new CliError("bad_flag", `${other} does nothing for --kind ${kind}.`, `Leave it out, or use --kind ${meant}.`);
}

/** Formats that have rows for pairs, by name and alias. */
function formatNames(): string[] {
  return formats
    .list()
    .filter(({ preference, rewardModel }) => preference !== undefined || rewardModel !== undefined)
    .flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}
