import type { Row } from "@while/schema";
import type { MetricReader } from "./metric.ts";

/** Sums a metric per task, row by row: memory is three numbers a task that carries it. */
export class MetricTally {
  /** Rows with a readable value. */
  nRows = 0;
  nRowsAt1 = 0;
  nRowsAt0 = 0;
  /** Rows whose value is NaN, infinite or beyond 1e70: left out. */
  nNonFinite = 0;
  /** Lowest and highest value; null without any. */
  range: [low: number, high: number] | null = null;
  private readonly reader: MetricReader;
  /** Place of a task in the arrays below, by task number. */
  private readonly places = new Map<number, number>();
  private readonly tasks: number[] = [];
  private readonly counts: number[] = [];
  private readonly sums: number[] = [];
  /** What the running sums lost to rounding (Neumaier 1974). */
  private readonly lost: number[] = [];

  constructor(reader: MetricReader) {
    this.reader = reader;
  }

  add(row: Row, task: number): void {
    const value = this.reader.value(row);
    if (value === null) {
      if (this.reader.isNonFinite(row)) this.nNonFinite++;
      return;
    }
    this.nRows++;
    if (value === 1) this.nRowsAt1++;
    if (value === 0) this.nRowsAt0++;
    this.range =
      this.range === null ? [value, value] : [Math.min(this.range[0], value), Math.max(this.range[1], value)];
    const place = this.placeOf(task);
    const before = this.sums[place]!;
    const after = before + value;
    this.lost[place]! += Math.abs(before) >= Math.abs(value) ? before - after + value : value - after + before;
    this.sums[place] = after;
    this.counts[place]!++;
  }

  /** Task number and mean, in the order of the task's first readable row. */
  taskMeans(): [task: number, mean: number][] {
    return this.tasks.map((task, i) => [task, (this.sums[i]! + this.lost[i]!) / this.counts[i]!]);
  }

  private placeOf(task: number): number {
    const known = this.places.get(task);
    if (known !== undefined) return known;
    const place = this.tasks.push(task) - 1;
    this.places.set(task, place);
    this.counts.push(0);
    this.sums.push(0);
    this.lost.push(0);
    return place;
  }
}
