import { cutCodePoints, formatPercent, splitWords } from "@while/schema";
import { counted } from "../counted.ts";
import type { RubricItemSignal, RubricSignal } from "./rubric-signal.ts";

const SHOWN = 10;
const TASK_CHARS = 60;

/** How many items tell rollouts apart; then the groups that none does; then the items without signal, ten at most. */
export function formatRubricSignal(report: RubricSignal): string {
  const { nRows, nNotJudged, nGroups, nSingle, nSplit, nMetByAll, nMetByNone, nOpen, splitShare, items } = report;
  const left = nNotJudged === 0 ? [] : [`  ${nNotJudged} of ${counted(nRows, "row")} judged by no rubric`];
  const single = nSingle === 0 ? [] : [`  ${counted(nSingle, "group")} of one judged row left out`];
  if (splitShare === null) {
    return ["rubric signal: not measured, no item was decided on two rows of a task", ...left, ...single].join("\n");
  }
  const mute = items.filter(({ signal }) => signal === "all" || signal === "none");
  const decided = nSplit + nMetByAll + nMetByNone;
  const more = mute.length > SHOWN ? [`  … and ${mute.length - SHOWN} more`] : [];
  return [
    `rubric signal: ${nSplit} of ${counted(decided, "item")} (${formatPercent(splitShare)}) tell rollouts of a task apart, in ${counted(nGroups, "group")}`,
    `  met by all ${nMetByAll}, by none ${nMetByNone}, not decided ${nOpen}; groups without any contrast ${report.nGroupsWithoutSplit}`,
    ...left,
    ...single,
    ...mute.slice(0, SHOWN).map(line),
    ...more,
  ].join("\n");
}

function line({ task, title, kind, n, signal }: RubricItemSignal): string {
  const words = splitWords(task).join(" ");
  const cut = cutCodePoints(words, TASK_CHARS);
  const met = kind === "pitfall" ? "avoided" : "met";
  return `  ${met} by ${signal} of ${n}: ${title} (${kind}), on ${cut}${cut === words ? "" : "…"}`;
}
