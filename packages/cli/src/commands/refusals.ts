import {
  formatRefusalReport,
  MARKER_RULES,
  type RefusalReportOptions,
  refusalReport,
  styleMarkers,
} from "@while/trust";
import { EXIT } from "../exit-code.ts";
import { choice, zeroOrMore } from "../flag-values.ts";
import { REQUIRE_FLAG, type RequireFlags, runMarking } from "../marking-run.ts";
import type { Verb } from "../verb.ts";

interface RefusalsFlags extends RequireFlags, Pick<RefusalReportOptions, "examples" | "rules"> {}

const NAMES = ["answered"];

export const refusalsVerb: Verb<RefusalsFlags> = {
  name: "refusals",
  chapter: "trust",
  summary: "how often benign asks were declined",
  flags: [
    { spec: "--examples <n>", about: "replies that are shown (5)", read: zeroOrMore },
    choice("--rules <set>", MARKER_RULES, "v1 finds letters, as the Python SDK does (v2)"),
    REQUIRE_FLAG,
  ],
  output: { spec: "-o, --output <file>", about: "rows with the marker answered, - is stdout" },
  examples: [
    { line: "wai refusals benign.jsonl", about: "the share declined, over asks that deserved an answer" },
    { line: "wai refusals benign.jsonl --require answered", about: "exit 1 when one was declined" },
  ],
  exits: [
    [EXIT.holds, "measured, or nothing was declined where that is required"],
    [EXIT.doesNotHold, "a required marker is below 1 on a row"],
    [EXIT.cannotTell, "no row has a reply in English"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { require: _, ...options } = call.flags;
    const { rules = "v2" } = options;
    return await runMarking(call, {
      names: NAMES,
      report: (rows) => refusalReport(rows, options),
      stamp: (rows) => styleMarkers(rows, { names: NAMES, rules }),
      format: formatRefusalReport,
      isMeasured: ({ n }) => n > 0,
    });
  },
};
