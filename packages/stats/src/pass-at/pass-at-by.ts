import { compareCodePoints, isObject, type Row, textOf } from "@while/schema";
import { type PassAt, type PassAtOptions, PassAtTally } from "./pass-at.ts";

/**
 * What rows are grouped by: a row key (`category`), a key of `lineage`, `marker:<name>`, `tag:<name>` (a key of
 * `row.tags`), or a function; null and "" are no group.
 */
export type GroupBy = string | ((row: Row) => string | null);

export interface PassAtBy {
  /** The key, or "group" for a function. */
  by: string;
  /** By group name, in code-point order. */
  groups: Map<string, PassAt>;
  /** Rows that belong to no group. */
  nWithoutGroup: number;
}

/**
 * `passAt` of each group of rows. Among many groups one reads low by chance, and the mean of the groups is another
 * number than `passAt` of all rows, which weighs tasks and not groups.
 *
 * @throws StatsError as `passAt`
 */
export function passAtBy(rows: readonly Row[], by: GroupBy, options: PassAtOptions = {}): PassAtBy {
  const tally = new PassAtByTally(by, options);
  for (const row of rows) tally.add(row);
  return tally.report();
}

/** The same in a single pass over rows that come one by one; memory is bounded by tasks and groups. */
export async function passAtByStream(
  rows: AsyncIterable<Row>,
  by: GroupBy,
  options: PassAtOptions = {},
): Promise<PassAtBy> {
  const tally = new PassAtByTally(by, options);
  for await (const row of rows) tally.add(row);
  return tally.report();
}

class PassAtByTally {
  private readonly by: GroupBy;
  private readonly options: PassAtOptions;
  private readonly groups = new Map<string, PassAtTally>();
  private nWithoutGroup = 0;

  constructor(by: GroupBy, options: PassAtOptions) {
    this.by = by;
    this.options = options;
    // Refuses bad options before the first row.
    new PassAtTally(options);
  }

  add(row: Row): void {
    if (!isObject(row)) return;
    const name = groupOf(row, this.by);
    if (name === "") {
      this.nWithoutGroup++;
      return;
    }
    let group = this.groups.get(name);
    if (group === undefined) {
      group = new PassAtTally(this.options);
      this.groups.set(name, group);
    }
    group.add(row);
  }

  report(): PassAtBy {
    const names = [...this.groups.keys()].sort(compareCodePoints);
    return {
      by: typeof this.by === "string" ? this.by : "group",
      groups: new Map(names.map((name) => [name, this.groups.get(name)!.report()])),
      nWithoutGroup: this.nWithoutGroup,
    };
  }
}

function groupOf(row: Row, by: GroupBy): string {
  if (typeof by === "function") return textOf(by(row));
  if (by.startsWith("marker:")) return textIn(row.markers, by.slice("marker:".length));
  if (by.startsWith("tag:")) return textIn(row.tags, by.slice("tag:".length));
  return textIn(row, by) || textIn(row.lineage, by);
}

function textIn(holder: unknown, key: string): string {
  return isObject(holder) && Object.hasOwn(holder, key) ? textOf(holder[key]) : "";
}
