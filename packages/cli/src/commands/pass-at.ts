import {
  formatPassAt,
  formatPassAtBy,
  formatPassCurve,
  type PassAt,
  passAtByStream,
  passAtStream,
  SecondOpinionTally,
} from "@while/stats";
import { EXIT } from "../exit-code.ts";
import { wholeNumber } from "../flag-values.ts";
import { notedRows, streamRows } from "../io/read-rows.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";
import { withSecondOpinion } from "../with-second-opinion.ts";

export const passAtVerb: Verb<{ k?: number; by?: string }> = {
  name: "pass-at",
  chapter: "measure",
  summary: "how often the agent passes: pass@1, pass^1 to pass^k, pass@k",
  flags: [
    { spec: "--k <k>", about: "attempts a task (default: the smallest group)", read: wholeNumber },
    { spec: "--by <key>", about: "a line a value: row key, marker:NAME, tag:NAME" },
  ],
  examples: [
    { line: "wai pass-at rollouts.jsonl", about: "how often the agent passes, and how sure that is" },
    { line: "wai pass-at rollouts.jsonl --by policy_version", about: "the same for each version of the agent" },
  ],
  exits: [
    [EXIT.holds, "there is a pass rate"],
    [EXIT.cannotTell, "no row is graded 0 or 1, or none has the key"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { by, ...options } = call.flags;
    const tally = new SecondOpinionTally();
    const stream = streamRows(call, (row, file) => tally.add(row, file));
    const rows = notedRows(call, stream);
    if (by === undefined) {
      const report = await passAtStream(rows, options);
      const secondOpinion = tally.report(stream.report());
      print(call, { ...report, secondOpinion }, withSecondOpinion(formatWithCurve));
      return report.passAt1 === null ? EXIT.cannotTell : EXIT.holds;
    }
    const report = await passAtByStream(rows, by, options);
    const secondOpinion = tally.report(stream.report());
    print(call, { ...report, secondOpinion }, withSecondOpinion(formatPassAtBy));
    return Array.from(report.groups.values()).some(({ passAt1 }) => passAt1 !== null) ? EXIT.holds : EXIT.cannotTell;
  },
};

const formatWithCurve = (report: PassAt): string => `${formatPassAt(report)}\n\n${formatPassCurve(report)}`;
