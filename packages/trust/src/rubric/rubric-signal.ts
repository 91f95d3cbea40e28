import { checkOptions, groupByTask, isObject, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { type CriterionKind, slugOf } from "./criterion.ts";
import { type Rubric, rubricOf, rubricVersion } from "./rubric.ts";

/**
 * What an item does within the rollouts of one task: tells them apart (`split`), is met by all that it was decided on or by
 * none, or was decided on fewer than two (`open`). Of a pitfall, met is avoided.
 */
export type ItemSignal = "split" | "all" | "none" | "open";

export interface RubricItemSignal {
  task: string;
  title: string;
  kind: CriterionKind;
  weight: number;
  /** Rows on which the item was decided, and those that met it. */
  n: number;
  nMet: number;
  signal: ItemSignal;
}

/** Which items of the rubrics tell the rollouts of a task apart. */
export interface RubricSignal {
  nRows: number;
  /** Rows without a rubric, or with no item of theirs decided. */
  nNotJudged: number;
  /** Tasks and rubric with two judged rows or more; with fewer nothing can be told apart. */
  nGroups: number;
  nSingle: number;
  nItems: number;
  nSplit: number;
  nMetByAll: number;
  nMetByNone: number;
  nOpen: number;
  /** Of the items decided on two rows or more; null without any. */
  splitShare: number | null;
  /** Groups of which no item tells anything apart: the rubric gives them no contrast at all. */
  nGroupsWithoutSplit: number;
  /** Every item of every group, groups in the order of their first row. */
  items: RubricItemSignal[];
}

/**
 * Which items of a rubric carry signal: an item that all rollouts of a task meet, or none does, moves their rewards alike, and
 * a method that learns from the contrast within a group learns nothing of it. Reads the markers that `rubricJudge` or
 * `scoreWithRubric` wrote (`rubric:<slug>`), so run it on judged rows, several rollouts a task.
 *
 * An item without signal is no bad item: a hard rule that everybody keeps still guards. Write others where most have none.
 *
 * @param options.rubric The one of all rows; without it each row's own. Rows of one task under two rubrics are two groups
 * @throws TrustError `bad_option`
 */
export function rubricSignal(rows: readonly Row[], options: { rubric?: Rubric } = {}): RubricSignal {
  checkOptions(options, ["rubric"], (what, fix) => new TrustError("bad_option", what, fix));
  const items: RubricItemSignal[] = [];
  let [nJudged, nGroups, nSingle, nGroupsWithoutSplit] = [0, 0, 0, 0];
  for (const [task, group] of groupByTask(rows.filter((row) => isObject(row))).groups) {
    for (const { rubric, markers } of byRubric(group, options.rubric)) {
      nJudged += markers.length;
      if (markers.length < 2) {
        nSingle++;
        continue;
      }
      nGroups++;
      const own = rubric.criteria.map(({ title, kind, weight }): RubricItemSignal => {
        const marks = markers.flatMap((marks) => marks[nameOf(title)] ?? []);
        const nMet = marks.filter((mark) => mark === 1).length;
        return { task, title, kind, weight, n: marks.length, nMet, signal: signalOf(nMet, marks.length) };
      });
      if (own.every(({ signal }) => signal !== "split")) nGroupsWithoutSplit++;
      items.push(...own);
    }
  }
  const count = (signal: ItemSignal): number => items.filter((item) => item.signal === signal).length;
  const [nSplit, nMetByAll, nMetByNone] = [count("split"), count("all"), count("none")];
  const nDecided = nSplit + nMetByAll + nMetByNone;
  return {
    ...{ nRows: rows.length, nNotJudged: rows.length - nJudged, nGroups, nSingle },
    ...{ nItems: items.length, nSplit, nMetByAll, nMetByNone, nOpen: count("open") },
    ...{ splitShare: nDecided === 0 ? null : nSplit / nDecided, nGroupsWithoutSplit, items },
  };
}

interface JudgedByOne {
  rubric: Rubric;
  /** Of each judged row, the markers that are items of the rubric. */
  markers: Record<string, number>[];
}

function byRubric(group: readonly Row[], fixed: Rubric | undefined): Iterable<JudgedByOne> {
  const byVersion = new Map<string, JudgedByOne>();
  for (const row of group) {
    const rubric = fixed ?? rubricOf(row);
    if (rubric === null) continue;
    const names = new Set(rubric.criteria.map(({ title }) => nameOf(title)));
    const given = isObject(row.markers) ? Object.entries(row.markers) : [];
    const markers = given.filter(([name, mark]) => names.has(name) && (mark === 0 || mark === 1));
    if (markers.length === 0) continue;
    const version = rubricVersion(rubric);
    const known = byVersion.get(version);
    const own = Object.fromEntries(markers) as Record<string, number>;
    if (known === undefined) byVersion.set(version, { rubric, markers: [own] });
    else known.markers.push(own);
  }
  return byVersion.values();
}

function nameOf(title: string): string {
  return `rubric:${slugOf(title)}`;
}

function signalOf(nMet: number, n: number): ItemSignal {
  if (n < 2) return "open";
  return nMet === n ? "all" : nMet === 0 ? "none" : "split";
}
