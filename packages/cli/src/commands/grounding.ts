import {
  formatGroundingReport,
  GROUNDING_MARKER,
  type GroundingOptions,
  groundingReport,
  MARKER_RULES,
  markGrounding,
} from "@while/trust";
import { EXIT } from "../exit-code.ts";
import { choice, list } from "../flag-values.ts";
import { REQUIRE_FLAG, type RequireFlags, runMarking } from "../marking-run.ts";
import type { Verb } from "../verb.ts";

interface GroundingFlags extends RequireFlags, Pick<GroundingOptions, "ignoreKeys" | "allow" | "numbers" | "rules"> {}

export const groundingVerb: Verb<GroundingFlags> = {
  name: "grounding",
  chapter: "trust",
  summary: "do arguments of calls come from what the agent was told?",
  flags: [
    { spec: "--ignore-keys <keys>", about: "arguments that are not checked: KEY,.. or flights.*.note", read: list },
    { spec: "--allow <values>", about: "values that need no ground: VALUE,..", read: list },
    choice("--numbers <which>", ["ids", "all", "off"], "numbers that are checked (ids)"),
    choice("--rules <set>", MARKER_RULES, "v1 finds letters, as the Python SDK does (v2)"),
    REQUIRE_FLAG,
  ],
  output: { spec: "-o, --output <file>", about: "rows with argument_grounding, - is stdout" },
  examples: [
    { line: "wai grounding rollouts.jsonl", about: "which arguments were made up, and in how many rollouts" },
    { line: "wai grounding a.jsonl --require argument_grounding", about: "exit 1 when one was" },
  ],
  exits: [
    [EXIT.holds, "measured, or nothing was made up where that is required"],
    [EXIT.doesNotHold, "a required marker is below 1 on a row"],
    [EXIT.cannotTell, "no row has a tool call, or no call an argument that is checked"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { require: _, ...options } = call.flags;
    return await runMarking(call, {
      names: [GROUNDING_MARKER],
      report: (rows) => groundingReport(rows, options),
      stamp: (rows) => markGrounding(rows, options),
      format: formatGroundingReport,
      isMeasured: ({ nChecked }) => nChecked > 0,
    });
  },
};
