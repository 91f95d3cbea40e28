import { formatFixed } from "@while/schema";
import { wholePercent } from "../agreement/whole-percent.ts";
import { counted } from "../counted.ts";
import type { LabelQueue, QueuedStratum } from "./label-queue.ts";

/** How many rows to label next and what they would decide; then how many of either verdict. */
export function formatLabelQueue({ rows, n, strata, aim, power, status, note, rule }: LabelQueue): string {
  const by = rule === "strict" ? " (strict rule)" : "";
  if (note === "no_verdicts") return "label next: no row has a verdict of 0 or 1, score the rows first";
  if (note === "decided") {
    return `label next: nothing, these labels ${status === "pass" ? "bear the judge out" : "fail the judge"}${by}`;
  }
  if (note === "all_labeled") return "label next: nothing is left, every row with a verdict has its label";
  const wouldShow = aim === "pass" ? "holds" : "does not hold";
  const end =
    note === "too_few_rows"
      ? "all there are, which may not decide: the judge is near to a floor"
      : note === "near_floor"
        ? "which may not decide: the judge is too near to a floor"
        : `a chance of ${wholePercent(power)} to show that the judge ${wouldShow}, if these shares are its own`;
  const tasks = new Set(rows.map(({ task }) => task)).size;
  return [
    `label next: ${counted(n, "row")} of ${counted(tasks, "task")}${by}: ${end}`,
    ...strata.map(stratumLine),
  ].join("\n");
}

function stratumLine({ verdict, unsure, nRows, nLabeled, nNext, assumedRight }: QueuedStratum): string {
  const which = `the judge ${verdict === 1 ? "passes" : "fails"}${unsure === null ? "" : unsure ? ", unsure" : ", sure"}`;
  return `  ${nNext} of those that ${which}: ${nLabeled} of ${nRows} labeled, taken to be right on ${formatFixed(assumedRight, 2)}`;
}
