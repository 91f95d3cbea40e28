import {
  formatLeakReport,
  LEAK_MARKER,
  LEAK_OVERLAP,
  type LeakOptions,
  leakMarkers,
  leakReport,
  MARKER_RULES,
} from "@while/trust";
import { EXIT } from "../exit-code.ts";
import { choice, share, wholeNumber } from "../flag-values.ts";
import { REQUIRE_FLAG, type RequireFlags, runMarking } from "../marking-run.ts";
import type { Verb } from "../verb.ts";

interface LeaksFlags extends RequireFlags, Pick<LeakOptions, "minLen" | "overlap" | "rules"> {}

export const leaksVerb: Verb<LeaksFlags> = {
  name: "leaks",
  chapter: "trust",
  summary: "which replies quote what the agent was never shown",
  flags: [
    { spec: "--min-len <n>", about: "characters from which a quote counts (12)", read: wholeNumber },
    { spec: "--overlap <share>", about: `of a quote's words that make it one (${LEAK_OVERLAP})`, read: share },
    choice("--rules <set>", MARKER_RULES, "v1: whole quotes in the reply, shown before or not (v2)"),
    REQUIRE_FLAG,
  ],
  output: { spec: "-o, --output <file>", about: "rows with the marker no_leak, - is stdout" },
  examples: [
    { line: "wai leaks rollouts.jsonl", about: "replies that recite their privileged block" },
    { line: "wai leaks rollouts.jsonl --require no_leak", about: "exit 1 when one does" },
  ],
  exits: [
    [EXIT.holds, "measured, or no reply quotes it where that is required"],
    [EXIT.doesNotHold, "a required marker is below 1 on a row"],
    [EXIT.cannotTell, "no row carries privileged context long enough to quote"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { require: _, ...options } = call.flags;
    return await runMarking(call, {
      names: [LEAK_MARKER],
      report: (rows) => leakReport(rows, options),
      stamp: (rows) => leakMarkers(rows, options),
      format: formatLeakReport,
      isMeasured: ({ checked }) => checked,
    });
  },
};
