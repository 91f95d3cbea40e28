import { formatFixed, formatInterval } from "@while/schema";
import type { HackScanReport } from "./hacks/scan-report.ts";
import type { RlDropReason } from "./rl/drop-ledger.ts";
import type { RlReport } from "./rl/rl-report.ts";
import type { SftDropReason, SftReport } from "./sft/sft-report.ts";

const RL_DROPS: Record<RlDropReason, string> = {
  not_a_row: "no object",
  privileged_leak: "the reply quotes the privileged block",
  do_nothing: "ungraded, and no tool called where the ask wants one",
  incomplete_junk: "no finished attempt: empty, cut, an error, or words of the harness",
  unusable_label: "no reward of exactly 0 or 1",
  duplicate: "repeats an earlier rollout of its prompt",
  truncated: "the reply was cut",
  unanimous: "every rollout of the task has the same outcome",
  collapsed: "one rollout of the task was left",
  too_easy: "the task passes more often than the band",
  too_hard: "the task passes less often than the band",
  over_max_rows: "the group did not fit under maxRows",
  over_target: "the target was met before",
};

const SFT_DROPS: Record<SftDropReason, string> = {
  not_a_row: "no object",
  privileged_leak: "the reply quotes the privileged block",
  ungraded: "no reward",
  below_min_reward: "reward under minReward",
  incomplete_junk: "no finished attempt: empty, cut, an error, or words of the harness",
  not_picked: "another completion was chosen",
  over_target: "the target was met before",
};

/** Why a selection is what it is: the verdict, the drops by reason, what is left, then what to look at. */
export function formatSelection(report: RlReport | SftReport): string {
  return (report.mode === "rl" ? rlLines(report) : sftLines(report)).join("\n");
}

function rlLines(report: RlReport): string[] {
  const { n, nTasks, nSelected, signal, prior } = report;
  const lines = [`kept ${nSelected} of ${n} rows: ${signal.nMixed} of ${nTasks} tasks carry signal`];
  lines.push(...dropLines(report.dropped, RL_DROPS));
  if (prior !== null && prior.rowsDropped > 0) {
    lines.push(
      `  before that, ${prior.rowsDropped} rows of tasks an earlier round decided: ` +
        `${prior.droppedSolved} solved, ${prior.droppedUnsolved} unsolved`,
    );
  }
  if (report.droppedTasks.length > 0) lines.push(`  tasks dropped: ${droppedTasksText(report)}`);
  if (nSelected > 0) {
    const kinds = Array.from(report.faultKinds, ([kind, tasks]) => `${kind} ${tasks}`).join(", ");
    lines.push(`  whole groups in training order (${report.order}): ${report.groupsSelected}; fault kinds: ${kinds}`);
    const bandText = `${signal.nInBand} in the band ${formatInterval(report.band)}`;
    lines.push(`  selection: ${signal.nMixed} mixed, ${bandText}, pass@1 ${formatFixed(signal.passAt1, 2)}`);
  }
  if (report.hackScan !== null) lines.push(`  hack scan: ${scanText(report.hackScan)}`);
  if (report.truncatedKept > 0 || report.truncatedPenalized > 0) {
    const policy = report.truncatedKept > 0 ? "ride along without a vote" : "count as failures";
    lines.push(`  cut replies ${policy}: ${report.truncatedSelected} of the selected rows`);
  }
  return [...lines, ...warningLines([report.warning, ...report.hygieneWarnings])];
}

/** Without endorsed features a regime says little beside what is on top. */
function scanText({ regime, topFeature, rhoMax, tau, endorsed }: HackScanReport): string {
  if (topFeature === null) return regime;
  const top = `${topFeature} on top (${formatFixed(rhoMax, 2)} inside asks, floor ${formatFixed(tau, 2)})`;
  return endorsed.length === 0 ? `${top}; nothing is endorsed` : `${regime}, ${top}`;
}

/** Tasks by what happened to them, those with most tasks in the report's own order. */
function droppedTasksText(report: RlReport): string {
  const emptied = Object.values(report.emptiedGroupsDropped).reduce((sum, tasks) => sum + tasks, 0);
  return [
    [emptied, "emptied"],
    [report.unanimousGroupsDropped, "without contrast"],
    [report.bandDropped.tooEasy, "too easy"],
    [report.bandDropped.tooHard, "too hard"],
    [report.groupsOverMaxRows, "over maxRows"],
    [report.groupsOverTarget, "over the target"],
  ]
    .filter(([tasks]) => tasks !== 0)
    .map(([tasks, what]) => `${tasks} ${what}`)
    .join(", ");
}

function sftLines(report: SftReport): string[] {
  const { n, nSelected, nEligible, behaviorsCovered, uniqueBehaviors, selectionEffective, selection } = report;
  const what = selectionEffective === null ? "none passed" : `${behaviorsCovered} of ${uniqueBehaviors} behaviors`;
  const lines = [`kept ${nSelected} of ${n} rows: ${what}`, ...dropLines(report.dropped, SFT_DROPS)];
  if (selectionEffective !== null) {
    const ran = selectionEffective === selection ? selection : `${selection}, which here is a ${selectionEffective}`;
    lines.push(`  rule: ${ran}, from ${nEligible} eligible rows`);
    const { rewardMeanEligible, rewardMeanSelected } = report;
    lines.push(
      `  mean reward ${formatFixed(rewardMeanSelected, 2)}, of the eligible ${formatFixed(rewardMeanEligible, 2)}`,
    );
  }
  return [...lines, ...warningLines([report.warning, report.note])];
}

function dropLines<Reason extends string>(dropped: Record<Reason, number>, texts: Record<Reason, string>): string[] {
  const reasons = (Object.keys(texts) as Reason[]).filter((reason) => dropped[reason] > 0);
  const width = Math.max(...reasons.map((reason) => String(dropped[reason]).length));
  return reasons.map((reason) => `  ${String(dropped[reason]).padStart(width)} ${reason}: ${texts[reason]}`);
}

function warningLines(warnings: readonly (string | null)[]): string[] {
  const said = warnings.filter((warning) => warning !== null);
  return said.length === 0 ? [] : ["warnings", ...said.map((warning) => `  - ${warning}`)];
}
