import type { Row } from "@while/schema";
import { type Interval, tQuantile } from "@while/stats";
import { replyLength } from "./reply-length.ts";

/** What the judge gives long replies beyond what people give them. */
export interface LengthOfMarks {
  n: number;
  /** Judge less gold on long replies, less that on short ones, in marks; rows of one gold mark are cut at their median. */
  gap: number;
  /** Over tasks; null with fewer than three. */
  ci95: Interval | null;
}

/** Fewest rows of a gold mark that are cut in two. */
const MIN_ROWS = 4;
const MIN_TASKS = 3;
const LEVEL = 0.95;

/**
 * Does a judge that gives marks give more of them to long replies than people do? Inside each gold mark rows are cut at
 * their median length, so that length cannot stand for quality, and the judge's marks on long and short ones compared.
 *
 * @param tasks The task of each row: what varies
 * @returns null where no gold mark has long and short rows
 */
export function lengthOfMarks(
  rated: readonly { row: Row; gold: number; judge: number }[],
  tasks: readonly string[],
): LengthOfMarks | null {
  const byGold = new Map<number, number[]>();
  for (const [i, { gold }] of rated.entries()) byGold.set(gold, [...(byGold.get(gold) ?? []), i]);
  const chars = rated.map(({ row }) => replyLength(row));
  // Weights that add up to the gap: of each gold mark as many as the fewer of its long and short rows.
  const parts: { i: number; weight: number; isLong: boolean }[] = [];
  let total = 0;
  for (const own of byGold.values()) {
    if (own.length < MIN_ROWS) continue;
    const median = own.map((i) => chars[i]!).sort((a, b) => a - b)[Math.floor(own.length / 2)]!;
    const long = own.filter((i) => chars[i]! >= median);
    const short = own.filter((i) => chars[i]! < median);
    if (short.length === 0) continue;
    const size = (long.length * short.length) / own.length;
    total += size;
    for (const i of long) parts.push({ i, weight: size / long.length, isLong: true });
    for (const i of short) parts.push({ i, weight: size / short.length, isLong: false });
  }
  if (total === 0) return null;
  const off = ({ i }: { i: number }) => rated[i]!.judge - rated[i]!.gold;
  const side = (isLong: boolean) =>
    parts.filter((part) => part.isLong === isLong).reduce((sum, part) => sum + part.weight * off(part), 0) / total;
  const [long, short] = [side(true), side(false)];
  const gap = long - short;
  return { n: parts.length, gap, ci95: interval(parts, { off, long, short, total, gap, tasks }) };
}

function interval(
  parts: readonly { i: number; weight: number; isLong: boolean }[],
  known: {
    off: (part: { i: number }) => number;
    long: number;
    short: number;
    total: number;
    gap: number;
    tasks: readonly string[];
  },
): Interval | null {
  const errors = new Map<string, number>();
  for (const part of parts) {
    const error = (part.isLong ? 1 : -1) * part.weight * (known.off(part) - (part.isLong ? known.long : known.short));
    const task = known.tasks[part.i]!;
    errors.set(task, (errors.get(task) ?? 0) + error / known.total);
  }
  const n = errors.size;
  if (n < MIN_TASKS) return null;
  const squares = [...errors.values()].reduce((sum, error) => sum + error ** 2, 0);
  if (squares === 0) return null;
  const half = tQuantile(n - 1, LEVEL) * Math.sqrt((n / (n - 1)) * squares);
  return [known.gap - half, known.gap + half];
}
