import { formatPercent } from "@while/schema";
import type { GroupSignal } from "@while/stats";
import { counted } from "../counted.ts";
import { hygieneWarnings } from "../hygiene/hygiene-warnings.ts";
import { evalSourcedWarning } from "../rows/is-eval-sourced.ts";
import { bandNote } from "./band-note.ts";
import type { RlReport } from "./rl-report.ts";

/** False-negative rate of a verifier from which it has to be mended before anything is trained on it. */
const FN_WARN = 0.1;

/** Why a grouped update could learn nothing from a selection; null when some task has both outcomes. */
export function noSignalWarning({ signal, nSelected, baseline }: RlReport): string | null {
  if (signal.nMixed > 0) return null;
  // Between tasks too, where the baseline is not the task's own.
  if (baseline !== "group" && signal.nAllZero > 0 && signal.nAllOne > 0) return null;
  const what = nSelected === 0 ? "nothing was selected" : "no selected task has both outcomes";
  return `no_mixed_groups: ${what}, so every advantage would be zero. Regrade, or sample tasks of another difficulty.`;
}

/** What a reader of the report has to know before training, each with what to do. */
export function rlWarnings(
  report: RlReport,
  { before, nPartial, priorWarnings }: { before: GroupSignal; nPartial: number; priorWarnings: readonly string[] },
): string[] {
  const { duplicates, length, correlations, hackScan: scan, audit, textGates, calibration, signal } = report;
  const warnings = hygieneWarnings({
    duplicates,
    lengths: length,
    correlations,
    ...(scan === null ? {} : { scan }),
  });
  const say = (when: boolean, line: () => string): void => {
    if (when) warnings.push(line());
  };

  const fnRate = audit?.fnRate ?? 0;
  say(
    fnRate > FN_WARN,
    () => `The verifier fails ${formatPercent(fnRate)} of right answers: mend it before training on what it says.`,
  );
  say(
    !textGates.applied,
    () =>
      `Nothing read the replies (${textGates.reason}): junk, cut replies and duplicates were not looked for. Pass ` +
      'textGates "require" to refuse rows without a reply.',
  );
  const note = bandNote(calibration.tasks);
  if (note !== null) warnings.push(note);
  say(report.evalSourced > 0, () => evalSourcedWarning(report.evalSourced));
  say(report.nSelected === 0 && report.n > 0, () => nothingLeft(report, before));
  say(
    before.passAtK !== null && signal.passAtK === null,
    () =>
      `pass^${before.k} and pass@${before.k} do not survive the selection: ` +
      `${signal.nGroups === 0 ? "no task is left" : `the smallest group left has ${signal.k} rollouts`}. ` +
      "Take k-way numbers before selecting.",
  );
  say(
    nPartial > 0,
    () =>
      `Rows with a reward that is neither 0 nor 1, left out as unusable: ${nPartial}. Say from where a reward passes, ` +
      "for example passThreshold 0.5, to read them.",
  );
  say(
    report.shapedGroupsDropped > 0,
    () =>
      `Dropped tasks whose rewards differ although all rollouts are on one side of passThreshold: ` +
      `${report.shapedGroupsDropped}. Their spread is shaping, not success.`,
  );
  say(
    report.singleGroupsSelected > 0,
    () =>
      `Selected tasks with a single graded rollout: ${report.singleGroupsSelected}. Each is a prompt to sample from, ` +
      "but no group to learn from as it stands.",
  );
  say(
    report.bandMovedByDrops > 0,
    () =>
      "Tasks on another side of the band among the rows left than among all graded ones, which their stamp counts: " +
      `${report.bandMovedByDrops}. Pass bandFrom "graded" to go by the stamp.`,
  );
  say(
    report.baseline !== "group",
    () =>
      `Selected for a ${report.baseline} baseline: tasks whose rollouts all agree were kept, and a trainer that ` +
      "subtracts each task's own mean learns nothing from them.",
  );
  say(
    report.mixedPolicyGroups > 0,
    () =>
      `Selected tasks with rollouts of more than one policy (policy_version): ${report.mixedPolicyGroups}. Their mean is ` +
      "of no policy, and a trainer that clips whole sequences (GSPO) loses those of the older one.",
  );
  warnings.push(...priorWarnings);
  return warnings;
}

/** Where everything went, most rows first. */
function nothingLeft({ n, dropped, evalSourcedInput }: RlReport, before: GroupSignal): string {
  const causes = Object.entries(dropped)
    .filter(([, rows]) => rows > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, rows]) => `${rows} ${reason}`);
  const evalRows = evalSourcedInput > 0 ? ` ${evalSourcedInput} of them were scored by an evaluation.` : "";
  return (
    `Nothing was selected from ${counted(n, "row")} of ${counted(before.nGroups, "graded task")}: ${causes.join(", ")}.${evalRows} ` +
    "Grade more rollouts a task, or widen the band."
  );
}
