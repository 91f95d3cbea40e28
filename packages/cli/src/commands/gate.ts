import { metaOf } from "@while/schema/files";
import {
  formatGate,
  GATE_PURPOSES,
  type GateOptions,
  type GateRefusal,
  publishGate,
  SELECT_MODES,
} from "@while/select";
import { EXIT } from "../exit-code.ts";
import { band, choice, list } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, writeRows } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import type { Verb } from "../verb.ts";

export const gateVerb: Verb<Pick<GateOptions, "mode" | "purpose" | "band" | "endorsed" | "strictHacks">> = {
  name: "gate",
  chapter: "select",
  summary: "may these rows be published, and what would they teach?",
  flags: [
    choice("--mode <mode>", SELECT_MODES, "rl: for a grouped method; sft: to be imitated, without contrast"),
    choice("--purpose <what>", GATE_PURPOSES, "eval: rows that need labels and no contrast"),
    { spec: "--band <low,high>", about: "pass rates worth training on (0.2,0.8)", read: band },
    { spec: "--endorsed <names>", about: "what the reward is meant to pay for: feature names a,b", read: list },
    { spec: "--strict-hacks", about: "refuse a reward that pays for something else" },
  ],
  output: { spec: "-o, --output <file>", about: "the rows with their difficulty stamped; - is stdout" },
  examples: [
    { line: "wai gate rl.jsonl", about: "labels, contrast, duplicates, what the reward pays for" },
    { line: "wai gate rl.jsonl --endorsed marker: --strict-hacks -o out.jsonl", about: "and no shortcut" },
  ],
  exits: [
    [EXIT.holds, "it passes"],
    [EXIT.doesNotHold, "it is refused, and no file was written"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    if (call.output !== undefined) await refuseOverwrite(call.files, call.output);
    const read = await readAll(call);
    const { rows, report } = publishGate(read.rows, { ...call.flags, strict: false });
    if (call.output !== undefined && report.ok) await writeRows(call.output, rows, () => metaOf(read.report));
    print(call, report, formatGate, { to: reportSink(call) });
    if (report.refusalCode !== null) note(call, MENDS[report.refusalCode](call.files.join(" ")));
    return report.ok ? EXIT.holds : EXIT.doesNotHold;
  },
};

/** The command to run next. */
const MENDS: Record<GateRefusal, (files: string) => string> = {
  privileged_leak: (files) => `which rows: wai leaks ${files}; without them: wai optimize ${files}`,
  ungraded_rl_rows: (files) => `grade them: wai grade ${files} --judge judge.mjs -o graded.jsonl`,
  no_mixed_groups: (files) => `which tasks are solved, which out of reach: wai curriculum ${files}`,
  reward_hack: (files) => `everything the reward pays for: wai hack-scan ${files} --endorsed A,B`,
};
