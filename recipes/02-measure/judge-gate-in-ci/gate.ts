import type { Row } from "@while/schema";
import { formatJudgeTrust, formatLabelQueue, type Judge, judgeTrust, labelQueue, runJudge } from "@while/trust";

/** What CI makes of the answer: red for a judge that is bad, and red for one that nobody can tell of. */
const EXIT_CODE = { pass: 0, fail: 1, not_measured: 2, inconclusive: 2 } as const;

/** Grades the rows with the judge, holds it against the labels and calls it again; prints the report. */
export async function gate(rows: readonly Row[], judge: Judge): Promise<number> {
  const { rows: graded } = await runJudge(rows, judge);
  const report = await judgeTrust(graded, judge, { rule: "strict" });
  console.log(formatJudgeTrust(report));
  if (report.status === "inconclusive") console.log(formatLabelQueue(labelQueue(graded, { rule: "strict" })));
  return EXIT_CODE[report.status];
}
