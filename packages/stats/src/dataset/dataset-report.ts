import {
  behaviorSignature,
  checkOptions,
  compareCodePoints,
  formatPercent,
  isObject,
  normText,
  pyJson,
  type Row,
  roundHalfEven,
  textOf,
} from "@while/schema";
import { HARD_SHARE_FLOOR, HARD_SHARE_MIN_ROWS, THRESHOLD_SLACK, UNLABELLED_SHARE_WARN } from "../constants.ts";
import { countOf } from "../count-of.ts";
import { binaryReward } from "../rows/pass-label.ts";
import { StatsError } from "../stats-error.ts";
import type { Warning } from "../warning.ts";
import { BEHAVIOR_TIERS, type BehaviorTier, behaviorTier, HARD_TIERS } from "./behavior-tier.ts";

/** What is known of the grid that the situations were drawn from, and what was warned of before they were run. */
export interface DatasetGrid {
  cellsTotal: number;
  preflightWarnings: readonly string[];
}

export interface DatasetOptions {
  grid?: DatasetGrid | undefined;
  /** Share of hard rows under which a set is called easy. */
  hardShareFloor?: number;
}

export type DatasetWarningCode = "easy_set" | "unlabelled_tiers";

/** Shares and rates are to 3 decimals. */
export interface DatasetReport {
  rows: number;
  /** Entries that are no objects; in no other number. */
  nNotRows: number;
  /** Prompts up to case and whitespace; rows without one are in `nWithoutPrompt`. */
  uniquePrompts: number;
  nWithoutPrompt: number;
  /** Rows whose `reward` is exactly 0 or 1. */
  labeled: number;
  passes: number;
  fails: number;
  /** Of the labeled rows; null without any. */
  failRate: number | null;
  /** Passing rows with a final text: what a supervised run could imitate. */
  usableSft: number;
  /** Different things the agent did, by `behaviorSignature`. */
  distinctBehaviors: number;
  /** Different `scenario_dimensions`. */
  cellsTouched: number;
  /** Cells of the grid; null without the option `grid`. */
  cellsTotal: number | null;
  /** `failure_class` of the failed rows, "unclassified" without one; most common first. */
  failureClasses: Map<string, number>;
  /** Rows by tier, easiest first; tiers without rows are absent. */
  tierCounts: Map<BehaviorTier, number>;
  /** Ambiguous, boundary and adversarial rows among all rows; null when no row has a tier. */
  hardShare: number | null;
  hardShareFloor: number;
  /** Fail rate of each tier that has rows; null where none of them is labeled. */
  tierFailRate: Map<BehaviorTier, number | null>;
  warnings: Warning<DatasetWarningCode>[];
  /** Null without the option `grid`. */
  preflightWarnings: string[] | null;
}

const UNCLASSIFIED = "unclassified";

/**
 * Size, labels and difficulty of a set of rows, before anything is trained or compared on it. Where two arms differ in
 * their mix of tiers, compare them tier by tier (`tierFailRate`): the totals compare two sets.
 *
 * @throws StatsError `bad_rows` for anything but a list with rows in it (an empty one is a report of zeros),
 * `bad_option`, `bad_value`
 */
export function datasetReport(rows: readonly Row[], options: DatasetOptions = {}): DatasetReport {
  checkOptions(options, ["grid", "hardShareFloor"], (what, fix) => new StatsError("bad_option", what, fix));
  const { grid, hardShareFloor = HARD_SHARE_FLOOR } = options;
  checkFloor(hardShareFloor);
  if (grid !== undefined) checkGrid(grid);
  checkRows(rows);

  const prompts = new Set<string>();
  const behaviors = new Set<string>();
  const cells = new Set<string>();
  const classes = new Map<string, number>();
  const tiers = new Map(BEHAVIOR_TIERS.map((tier) => [tier, { rows: 0, labeled: 0, fails: 0 }]));
  let [n, nWithoutPrompt, passes, fails, usableSft] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    if (!isObject(row)) continue;
    n++;
    const prompt = normText(textOf(row.prompt));
    if (prompt === "") nWithoutPrompt++;
    else prompts.add(prompt);
    behaviors.add(behaviorSignature(row));
    const cell = cellOf(row);
    if (cell !== null) cells.add(cell);
    const tier = tiers.get(behaviorTier(row))!;
    tier.rows++;
    const label = binaryReward(row);
    if (label === null) continue;
    tier.labeled++;
    if (label === 1) {
      passes++;
      if (normText(textOf(row.final_text)) !== "") usableSft++;
    } else {
      fails++;
      tier.fails++;
      const name = textOf(row.failure_class).trim() || UNCLASSIFIED;
      classes.set(name, (classes.get(name) ?? 0) + 1);
    }
  }

  const seen = [...tiers].filter(([, { rows }]) => rows > 0);
  const nUnlabelled = tiers.get("unlabelled")!.rows;
  const nHard = seen.reduce((sum, [tier, { rows }]) => (HARD_TIERS.has(tier) ? sum + rows : sum), 0);
  return {
    rows: n,
    nNotRows: rows.length - n,
    uniquePrompts: prompts.size,
    nWithoutPrompt,
    labeled: passes + fails,
    passes,
    fails,
    failRate: rateOf(fails, passes + fails),
    usableSft,
    distinctBehaviors: behaviors.size,
    cellsTouched: cells.size,
    cellsTotal: grid?.cellsTotal ?? null,
    failureClasses: new Map([...classes].sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b))),
    tierCounts: new Map(seen.map(([tier, { rows }]) => [tier, rows])),
    // The Python SDK says 0 when no row has a tier, which reads as an easy set.
    hardShare: nUnlabelled === n ? null : rateOf(nHard, n),
    hardShareFloor,
    tierFailRate: new Map(seen.map(([tier, { fails, labeled }]) => [tier, rateOf(fails, labeled)])),
    warnings: warningsOf({ n, nHard, nUnlabelled, hardShareFloor }),
    preflightWarnings: grid === undefined ? null : [...grid.preflightWarnings],
  };
}

/** The situation as one text, whatever the order of its axes; null when the row names none. */
function cellOf({ scenario_dimensions: dimensions }: Row): string | null {
  if (!isObject(dimensions) || Object.keys(dimensions).length === 0) return null;
  return pyJson(dimensions, { sortKeys: true });
}

function rateOf(part: number, n: number): number | null {
  return n === 0 ? null : roundHalfEven(part / n, 3);
}

interface TierMix {
  n: number;
  nHard: number;
  nUnlabelled: number;
  hardShareFloor: number;
}

function warningsOf({ n, nHard, nUnlabelled, hardShareFloor }: TierMix): Warning<DatasetWarningCode>[] {
  const warnings: Warning<DatasetWarningCode>[] = [];
  const easy = nUnlabelled < n && nHard / n < hardShareFloor - THRESHOLD_SLACK;
  if (easy && n >= HARD_SHARE_MIN_ROWS) {
    const text = `easy set: ${formatPercent(nHard / n, 1)} of ${countOf(n, "row")} are hard, under ${formatPercent(hardShareFloor, 1)}; where nearly every row is ordinary both sides of a comparison pass, and no difference will be found whether or not there is one; raise hard_share= or pin the stance axis when simulating`;
    warnings.push({ code: "easy_set", text });
  }
  if (n > 0 && nUnlabelled / n > UNLABELLED_SHARE_WARN + THRESHOLD_SLACK) {
    const reading =
      nUnlabelled === n ? "so hard_share is not measured" : "so read hard_share as a floor, they count as not hard";
    const text = `${nUnlabelled} of ${countOf(n, "row")} carry no known stance: their difficulty is unknown, ${reading}`;
    warnings.push({ code: "unlabelled_tiers", text });
  }
  return warnings;
}

function checkRows(rows: unknown): void {
  if (typeof rows === "string") {
    throw new StatsError(
      "bad_rows",
      `datasetReport reads rows and got the text ${JSON.stringify(rows)}.`,
      `If that is the id of a dataset, fetch its rows first: pull(${JSON.stringify(rows)}).`,
    );
  }
  if (!Array.isArray(rows)) {
    throw new StatsError("bad_rows", `datasetReport reads rows and got ${typeof rows}.`, "Pass a list of rows.");
  }
  if (rows.length > 0 && !rows.some(isObject)) {
    throw new StatsError(
      "bad_rows",
      `datasetReport reads rows and none of ${countOf(rows.length, "value")} is one.`,
      "Pass the rows as objects, one a rollout; parse lines of JSON first.",
    );
  }
}

function checkFloor(floor: number): void {
  if (floor >= 0 && floor <= 1) return;
  throw new StatsError("bad_value", `hardShareFloor is ${floor}.`, "Pass a share from 0 to 1.");
}

function checkGrid(grid: DatasetGrid): void {
  const fix = "Pass { cellsTotal, preflightWarnings }: a count of cells and a list of sentences.";
  if (!isObject(grid)) throw new StatsError("bad_value", `grid is ${JSON.stringify(grid)}.`, fix);
  const { cellsTotal, preflightWarnings } = grid;
  if (!Number.isSafeInteger(cellsTotal) || cellsTotal < 0) {
    throw new StatsError("bad_value", `grid.cellsTotal is ${cellsTotal}.`, fix);
  }
  if (!Array.isArray(preflightWarnings)) {
    throw new StatsError("bad_value", `grid.preflightWarnings is ${JSON.stringify(preflightWarnings)}.`, fix);
  }
}
