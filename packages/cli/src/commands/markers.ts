import { formatMarkerSummary, markerSummaryStream } from "@while/stats";
import { EXIT } from "../exit-code.ts";
import { notedRows } from "../io/read-rows.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

export const markersVerb: Verb = {
  name: "markers",
  chapter: "measure",
  summary: "every behaviour measured on the rows, with its interval",
  flags: [],
  examples: [
    { line: "wai markers rollouts.jsonl", about: "the mean of each marker over tasks; 1 is good" },
    { line: "wai markers rollouts.jsonl --json", about: "the same for a program" },
  ],
  exits: [
    [EXIT.holds, "there is a marker"],
    [EXIT.cannotTell, "no row carries one"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const report = await markerSummaryStream(notedRows(call));
    print(call, report, formatMarkerSummary);
    return report.size === 0 ? EXIT.cannotTell : EXIT.holds;
  },
};
