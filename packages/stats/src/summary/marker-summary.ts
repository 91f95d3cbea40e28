import { compareCodePoints, isObject, type Row } from "@while/schema";
import type { Inference } from "../inference.ts";
import { metricReader } from "../rows/metric.ts";
import { MetricTally } from "../rows/metric-tally.ts";
import { TaskIndex } from "../rows/task-index.ts";
import { checkSummaryOptions, type MetricSummary, type SummaryOptions, summaryOf } from "./metric-summary.ts";

export interface MarkerSummaryOptions extends SummaryOptions {
  /** Markers to summarise; all that occur when left out or empty. */
  names?: readonly string[] | undefined;
}

/**
 * `metricSummary` of each marker, by name in code-point order (or in the order of `names`). A name that no row carries
 * has 0 tasks, a null mean and a note.
 *
 * 1.0 is good and higher is better: a marker that says how often something bad occurred has to be stored as 1 - v
 * under the name of the good behaviour before two runs are compared.
 *
 * @throws StatsError `bad_option`, `bad_count`, `bad_seed`
 */
export function markerSummary(rows: readonly Row[], options: MarkerSummaryOptions = {}): Map<string, MetricSummary> {
  const tally = new MarkerSummaryTally(options);
  for (const row of rows) tally.add(row);
  return tally.report();
}

/** The same in a single pass over rows that come one by one; memory is bounded by tasks and markers. */
export async function markerSummaryStream(
  rows: AsyncIterable<Row>,
  options: MarkerSummaryOptions = {},
): Promise<Map<string, MetricSummary>> {
  const tally = new MarkerSummaryTally(options);
  for await (const row of rows) tally.add(row);
  return tally.report();
}

/** Collects rows for `markerSummary`, for callers who read a file once for several reports. */
export class MarkerSummaryTally {
  private readonly options: SummaryOptions;
  private readonly inference: Inference;
  private readonly names: readonly string[];
  private readonly tasks: TaskIndex;
  private readonly tallies = new Map<string, MetricTally>();

  constructor({ names = [], ...options }: MarkerSummaryOptions = {}) {
    this.options = options;
    this.inference = checkSummaryOptions(options, ["names"]).inference;
    this.names = names;
    this.tasks = new TaskIndex(this.inference);
    for (const name of names) this.tallyOf(name);
  }

  /** Values that are no object are skipped. */
  add(row: Row): void {
    if (!isObject(row)) return;
    const task = this.tasks.add(row);
    if (!isObject(row.markers)) return;
    const names = this.names.length > 0 ? this.names : Object.keys(row.markers);
    for (const name of names) this.tallyOf(name).add(row, task);
  }

  report(): Map<string, MetricSummary> {
    const names = this.names.length > 0 ? this.names : [...this.tallies.keys()].sort(compareCodePoints);
    return new Map(
      names.map((name) => [name, summaryOf(`marker:${name}`, this.tallies.get(name)!, this.tasks, this.options)]),
    );
  }

  private tallyOf(name: string): MetricTally {
    let tally = this.tallies.get(name);
    if (tally === undefined) {
      tally = new MetricTally(metricReader(`marker:${name}`, this.inference));
      this.tallies.set(name, tally);
    }
    return tally;
  }
}
