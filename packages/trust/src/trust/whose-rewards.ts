import { textOf } from "@while/schema";
import type { JudgeFinding } from "../agreement/finding.ts";
import type { LabeledRow } from "../agreement/gold.ts";

/**
 * Did the judge under audit write the rewards that are measured? Agreement, halves and length read what stands on the
 * rows; only what is re-judged is surely the judge's own.
 *
 * @param judgeName What the judge stamps on rows; null where no judge was given
 */
export function whoseRewards(labeled: readonly LabeledRow[], judgeName: string | null): JudgeFinding[] {
  if (judgeName === null || labeled.length === 0) return [];
  const names = labeled.map(({ row }) => textOf(row.judge_name));
  const foreign = names.filter((name) => name !== "" && name !== judgeName);
  const measured = "agreement, halves and length measure that scorer; only re-judged rows and probes ran on this judge";
  if (foreign.length > 0) {
    const who = [...new Set(foreign)].slice(0, 3).join(", ");
    return [
      {
        code: "foreign_reward",
        severity: "fail",
        message: `${foreign.length} of ${labeled.length} labeled rows were scored by ${who}, and ${judgeName} is under audit: ${measured}. Grade the rows with it first`,
        data: { foreign: foreign.length, n: labeled.length, judge: judgeName },
      },
    ];
  }
  if (names.some((name) => name !== "")) return [];
  return [
    {
      code: "unverified_reward",
      severity: "fail",
      message: `no labeled row says who scored it, and ${judgeName} is under audit: nothing shows that the rewards are its own. Grade the rows with it first`,
      data: { n: labeled.length, judge: judgeName },
    },
  ];
}
