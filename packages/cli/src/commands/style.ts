import {
  formatStyleReport,
  MARKER_RULES,
  STYLE_MARKERS,
  type StyleReportOptions,
  styleMarkers,
  styleReport,
} from "@while/trust";
import { EXIT } from "../exit-code.ts";
import { choice, share } from "../flag-values.ts";
import { REQUIRE_FLAG, type RequireFlags, runMarking } from "../marking-run.ts";
import type { Verb } from "../verb.ts";

interface StyleFlags extends RequireFlags, Pick<StyleReportOptions, "rules"> {
  minCorr?: number;
}

export const styleVerb: Verb<StyleFlags> = {
  name: "style",
  chapter: "trust",
  summary: "habits of speech, and does the reward pay for them?",
  flags: [
    { spec: "--min-corr <r>", about: "correlation from which the reward may pay (0.3)", read: share },
    choice("--rules <set>", MARKER_RULES, "v1 finds letters, as the Python SDK does (v2)"),
    REQUIRE_FLAG,
  ],
  output: { spec: "-o, --output <file>", about: "rows with the style markers, - is stdout" },
  examples: [
    { line: "wai style rollouts.jsonl", about: "boilerplate, hedging, apology, sycophancy, refusals" },
    { line: "wai style rollouts.jsonl --require no_sycophancy", about: "exit 1 when a reply flatters" },
  ],
  exits: [
    [EXIT.holds, "measured, or the habits are absent where that is required"],
    [EXIT.doesNotHold, "a required marker is below 1 on a row"],
    [EXIT.cannotTell, "no row has a reply in English"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { minCorr, rules = "v2" } = call.flags;
    return await runMarking(call, {
      names: [...STYLE_MARKERS.keys()],
      report: (rows) => styleReport(rows, { rules, ...(minCorr === undefined ? {} : { threshold: minCorr }) }),
      stamp: (rows) => styleMarkers(rows, { rules }),
      format: formatStyleReport,
      isMeasured: ({ markers }) => [...markers.values()].some(({ n }) => n > 0),
    });
  },
};
