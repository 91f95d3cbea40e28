import { compareCodePoints, isObject, type Row } from "@while/schema";
import { type GroupBy, groupOf } from "../rows/group-by.ts";
import { type PassAt, type PassAtOptions, PassAtTally } from "./pass-at.ts";

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
