import { gradedReward } from "@while/stats";
import type { MeasuredRates } from "../calibration/carry-calibration.ts";
import { passesIn } from "../groups/task-pass-rates.ts";
import { outsideBand } from "../groups/trim-out-of-band.ts";
import { isUnanimous } from "../groups/trim-unanimous-groups.ts";
import type { Candidate } from "./candidate.ts";
import type { DropLedger } from "./drop-ledger.ts";
import type { RatedGroup } from "./pick-tasks.ts";
import type { RlSettings } from "./rl-options.ts";

/** The rollouts of one task that are left, and the outcomes that decide about it. */
interface Group {
  task: string;
  members: Candidate[];
  labels: number[];
}

/** Tasks that group trims dropped or looked at twice. */
export interface TrimCounts {
  unanimous: number;
  collapsed: number;
  /** Unanimous by the threshold, with rewards that differ. */
  shaped: number;
  tooEasy: number;
  tooHard: number;
  /** On another side of the band among the rows left than among all graded ones. */
  moved: number;
}

/** Groups that could be picked. */
export type OpenGroup = RatedGroup & { nLabels: number };

/**
 * Groups with something to learn: more than one outcome, or a rollout that never had company, and a rate inside the
 * band. Cut rows leave here under `drop`; under `keep` they have no vote and share the fate of their group.
 */
export function trimGroups(
  candidates: readonly Candidate[],
  {
    measured,
    settings,
    ledger,
    sizeAfterGates,
  }: {
    measured: MeasuredRates;
    settings: RlSettings;
    ledger: DropLedger;
    /** Rows of each task before duplicates and cut rows left: who had company then and has none now has collapsed. */
    sizeAfterGates: ReadonlyMap<string, number>;
  },
): { open: OpenGroup[]; counts: TrimCounts } {
  const { band, bandFrom, baseline, enforceBand, passThreshold } = settings;
  const counts = { unanimous: 0, collapsed: 0, shaped: 0, tooEasy: 0, tooHard: 0, moved: 0 };
  const open: OpenGroup[] = [];
  for (const { task, members, labels } of votingGroups(candidates, settings, ledger)) {
    if (baseline === "group" && isUnanimous(labels)) {
      counts.unanimous++;
      if (passThreshold !== null && rewardsDiffer(members)) counts.shaped++;
      ledger.drop(task, "unanimous", members.length);
      continue;
    }
    if (baseline === "group" && labels.length === 1 && sizeAfterGates.get(task)! > 1) {
      counts.collapsed++;
      ledger.drop(task, "collapsed", members.length);
      continue;
    }
    const left = { rate: passesIn(labels) / labels.length, n: labels.length };
    const graded = gradedRate(measured, task) ?? left;
    if (outsideBand(left, band) !== outsideBand(graded, band)) counts.moved++;
    const placed = bandFrom === "graded" ? graded : left;
    const side = enforceBand ? outsideBand(placed, band) : null;
    if (side === null) {
      open.push({ task, rows: members.map(({ row }) => row), rate: placed.rate, nLabels: labels.length });
      continue;
    }
    counts[side === "too_easy" ? "tooEasy" : "tooHard"]++;
    ledger.drop(task, side, members.length);
  }
  return { open, counts };
}

function votingGroups(
  candidates: readonly Candidate[],
  { truncated: policy }: RlSettings,
  ledger: DropLedger,
): Group[] {
  const groups = new Map<string, Group>();
  for (const candidate of candidates) {
    const { task, label, truncated } = candidate;
    if (truncated && policy === "drop") {
      ledger.drop(task, "truncated");
      continue;
    }
    let group = groups.get(task);
    if (group === undefined) {
      group = { task, members: [], labels: [] };
      groups.set(task, group);
    }
    group.members.push(candidate);
    if (label !== null && !(truncated && policy === "keep")) group.labels.push(label);
  }
  return [...groups.values()].filter(({ task, members, labels }) => {
    if (labels.length === 0) ledger.drop(task, "truncated", members.length);
    return labels.length > 0;
  });
}

function gradedRate(measured: MeasuredRates, task: string): { rate: number; n: number } | null {
  const counted = measured.get(task);
  return counted === undefined ? null : { rate: counted.passes / counted.n, n: counted.n };
}

function rewardsDiffer(members: readonly Candidate[]): boolean {
  return new Set(members.map(({ row }) => gradedReward(row))).size > 1;
}
