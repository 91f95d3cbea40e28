import { groupByTask, isObject, type Row, taskKey } from "@while/schema";
import { gradedReward, groupSignal } from "@while/stats";
import { type MeasuredRates, stampRates } from "../calibration/carry-calibration.ts";
import { nextRound } from "../groups/next-round.ts";
import { passesIn } from "../groups/task-pass-rates.ts";
import { bandSide } from "../groups/trim-out-of-band.ts";
import { hackScan } from "../hacks/hack-scan.ts";
import { lengthReport } from "../hygiene/length-report.ts";
import { rewardCorrelations } from "../hygiene/reward-correlations.ts";
import { asJudged } from "../rows/as-judged.ts";
import { dropPrivilegedLeaks } from "../rows/drop-privileged-leaks.ts";
import { gateRow, hasTrainableContent } from "../rows/drop-reason.ts";
import { isEvalSourced } from "../rows/is-eval-sourced.ts";
import { candidateOf, distinctCandidates } from "./candidate.ts";
import { DropLedger, ROW_REASONS } from "./drop-ledger.ts";
import { pickTasks } from "./pick-tasks.ts";
import { type RlOptions, type RlSettings, readRlOptions, type TextGateMode } from "./rl-options.ts";
import type { PriorReport, RlReport, TextGates } from "./rl-report.ts";
import { noSignalWarning, rlWarnings } from "./rl-warnings.ts";
import { trimGroups } from "./trim-groups.ts";

/**
 * Which rollouts to train on with a grouped method, whole groups in training order. Rows leave in this order: tasks
 * an earlier round decided (`prior`), leaks of privileged context, rows no label or reply is worth training on,
 * duplicates, cut replies, tasks without contrast, tasks outside the band, and what is over the target. Every
 * selected row is stamped with the difficulty its task had before anything was dropped.
 *
 * A grouped update learns from the difference between rollouts of one task, so a task always right or always wrong
 * moves nothing (GRPO, arXiv:2402.03300; DAPO, arXiv:2503.14476), and one seldom or mostly right moves little
 * (Lambert 2025, chapter Reasoning). Topic and wording are not read. What the reward of the selection pays for is
 * scanned (`hackScan`) and reported; no row leaves for it.
 *
 * @returns New rows; the ones passed in are not changed
 * @throws SelectError `bad_option`, `bad_band`
 */
export function selectForRl(rows: readonly Row[], options: RlOptions = {}): { rows: Row[]; report: RlReport } {
  const settings = readRlOptions(options);
  const { label, band, passThreshold } = settings;
  const [lo, hi] = band;
  const ledger = new DropLedger();

  const { undecided, prior, priorWarnings } = withoutDecided(rows, settings);
  const objects = undecided.filter(isObject);
  ledger.drop(null, "not_a_row", undecided.length - objects.length);
  const tasks = groupByTask(objects).groups;
  const taskOf = new Map<Row, string>();
  for (const [task, group] of tasks) for (const row of group) taskOf.set(row, task);
  const measured = ratesAsJudged(tasks, settings);

  const leaks = dropPrivilegedLeaks(objects);
  const leakFree = new Set(leaks.rows);
  for (const row of objects) if (!leakFree.has(row)) ledger.drop(taskOf.get(row)!, "privileged_leak");

  const textGates = textGatesFor(objects, settings.textGates);
  const gates = { do_nothing: 0, incomplete_junk: 0, unusable_label: 0 };
  let keptVerifiedZero = 0;
  const usable = leaks.rows
    .map((row) => candidateOf(row, taskOf.get(row)!, settings))
    .filter(({ row, task }) => {
      const gate = gateRow(row, { hasTools: settings.hasTools, textGates: textGates.applied, label });
      if (gate.verifiedZero) keptVerifiedZero++;
      if (gate.reason === null) return true;
      gates[gate.reason]++;
      ledger.drop(task, gate.reason);
      return false;
    });
  const sizeAfterGates = new Map<string, number>();
  for (const { task } of usable) sizeAfterGates.set(task, (sizeAfterGates.get(task) ?? 0) + 1);

  const compare = settings.dedupe && textGates.applied;
  const { distinct, duplicates } = distinctCandidates(usable, { compare, label, ledger });
  const nCut = distinct.filter(({ truncated }) => truncated).length;
  const { open, counts } = trimGroups(distinct, { measured, settings, ledger, sizeAfterGates });

  const picked = pickTasks(open, settings);
  for (const group of picked.overMaxRows) ledger.drop(group.task, "over_max_rows", group.rows.length);
  for (const group of picked.overTarget) ledger.drop(group.task, "over_target", group.rows.length);
  const { rows: selected, report: calibration } = stampRates(
    measured,
    picked.groups.flatMap((group) => group.rows),
    null,
  );

  const selectedTasks = new Set(picked.groups.map(({ task }) => task));
  const droppedTasks = ledger.droppedTasks(tasks.keys(), selectedTasks);
  // Reports of other modules read labels off the reward, so with a threshold they are shown the outcome instead.
  const outcomes = (list: readonly Row[]) =>
    passThreshold === null ? list : list.map((row) => ({ ...row, reward: label(row) }));
  const report: RlReport = {
    mode: "rl",
    n: undecided.length,
    nTasks: tasks.size,
    nSelected: selected.length,
    groupsSelected: picked.groups.length,
    dropped: ledger.dropped,
    droppedTasks,
    prior,
    privilegedLeaksDropped: leaks.report.nDropped,
    privilegedLeaks: leaks.report,
    gates,
    textGates,
    keptVerifiedZero,
    nAfterGates: usable.length,
    duplicates,
    truncatedPolicy: settings.truncated,
    truncatedDropped: settings.truncated === "drop" ? nCut : 0,
    truncatedKept: settings.truncated === "keep" ? nCut : 0,
    truncatedPenalized: settings.truncated === "penalize" ? nCut : 0,
    truncatedSelected: selected.filter((row) => row.overlong === true).length,
    emptiedGroupsDropped: emptiedBy(droppedTasks),
    unanimousGroupsDropped: counts.unanimous + counts.collapsed,
    collapsedGroupsDropped: counts.collapsed,
    shapedGroupsDropped: counts.shaped,
    band,
    bandFrom: settings.bandFrom,
    enforceBand: settings.enforceBand,
    bandGroupsDropped: counts.tooEasy + counts.tooHard,
    bandDropped: { tooEasy: counts.tooEasy, tooHard: counts.tooHard },
    bandMovedByDrops: counts.moved,
    nAfterTrim: open.reduce((sum, group) => sum + group.rows.length, 0),
    baseline: settings.baseline,
    order: settings.order,
    target: settings.target,
    maxRows: settings.maxRows,
    groupsOverMaxRows: picked.overMaxRows.length,
    groupsOverTarget: picked.overTarget.length,
    faultKinds: picked.faultKinds,
    passThreshold,
    signal: groupSignal(outcomes(selected), { lo, hi }),
    mixedPolicyGroups: picked.groups.filter(({ rows: group }) => policiesOf(group).size > 1).length,
    singleGroupsSelected: open.filter(({ task, nLabels }) => nLabels === 1 && selectedTasks.has(task)).length,
    length: lengthReport(selected),
    correlations: rewardCorrelations(outcomes(selected)),
    hackScan: selected.length === 0 ? null : hackScan(outcomes(selected), { endorsed: settings.endorsed }),
    hackScanReason: selected.length === 0 ? "nothing was selected" : null,
    calibration,
    audit: settings.audit,
    evalSourced: selected.filter(isEvalSourced).length,
    evalSourcedInput: objects.filter(isEvalSourced).length,
    hygieneWarnings: [],
    warning: null,
  };
  report.warning = noSignalWarning(report);
  report.hygieneWarnings = rlWarnings(report, {
    before: groupSignal(outcomes(objects), { lo, hi }),
    nPartial: countPartial(objects, settings),
    priorWarnings,
  });
  return { rows: selected, report };
}

function policiesOf(rows: readonly Row[]): Set<unknown> {
  return new Set(rows.map(({ policy_version: version }) => version).filter((version) => version != null));
}

/** Tasks that an earlier round measured outside the band have had their turn. */
function withoutDecided(
  rows: readonly Row[],
  { prior, band }: RlSettings,
): { undecided: readonly Row[]; prior: PriorReport | null; priorWarnings: string[] } {
  if (prior === null) return { undecided: rows, prior: null, priorWarnings: [] };
  const [lo, hi] = band;
  const { passRates, warnings, ...round } = nextRound(prior, { tasks: rows.filter(isObject), lo, hi });
  const undecided = rows.filter((row) => {
    const rate = isObject(row) ? passRates.get(taskKey(row)) : undefined;
    return rate === undefined || bandSide(rate, band) === null;
  });
  const { kept, droppedSolved, droppedUnsolved, unknown, fromPolicy, promptSetSha } = round;
  const rowsDropped = rows.length - undecided.length;
  const report = { kept, droppedSolved, droppedUnsolved, unknown, fromPolicy, promptSetSha, rowsDropped };
  return { undecided, prior: report, priorWarnings: warnings };
}

/** How often each task passed in its grader's eyes, before anything is dropped or penalized. */
function ratesAsJudged(tasks: ReadonlyMap<string, readonly Row[]>, { label }: RlSettings): MeasuredRates {
  const rates = new Map<string, { passes: number; n: number }>();
  for (const [task, group] of tasks) {
    const labels = group.map((row) => label(asJudged(row))).filter((value) => value !== null);
    if (labels.length > 0) rates.set(task, { passes: passesIn(labels), n: labels.length });
  }
  return rates;
}

/** A table of labels has no replies to judge. */
function textGatesFor(rows: readonly Row[], mode: TextGateMode): TextGates {
  if (mode === "skip") return { mode, applied: false, reason: "skip was asked for" };
  if (mode === "require" || rows.some(hasTrainableContent)) return { mode, applied: true, reason: null };
  return { mode, applied: false, reason: "no row carries a reply" };
}

/** Tasks that were gone before groups were looked at. */
function emptiedBy(droppedTasks: RlReport["droppedTasks"]): RlReport["emptiedGroupsDropped"] {
  const counts: RlReport["emptiedGroupsDropped"] = {};
  for (const { reason } of droppedTasks) if (ROW_REASONS.has(reason)) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** Rows with a reward other than 0 and 1 that nobody said how to read. */
function countPartial(rows: readonly Row[], { label }: RlSettings): number {
  return rows.filter((row) => label(row) === null && gradedReward(row) !== null).length;
}
