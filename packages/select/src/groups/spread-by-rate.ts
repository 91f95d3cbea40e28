import { roundHalfEven } from "@while/schema";

/**
 * Tasks in an order that reaches every difficulty early: the first task of each pass rate (to four decimals,
 * ascending), then the second of each, and so on. Tasks of one rate keep the order given.
 */
export function spreadByRate(tasks: readonly string[], rate: (task: string) => number): string[] {
  const levels = new Map<number, string[]>();
  for (const task of tasks) {
    const level = roundHalfEven(rate(task), 4);
    const group = levels.get(level);
    if (group === undefined) levels.set(level, [task]);
    else group.push(task);
  }
  const ascending = [...levels].sort(([a], [b]) => a - b).map(([, group]) => group);
  return roundRobin(ascending);
}

/** The first of every list, then the second of every list, until all are out. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): T[] {
  const order: T[] = [];
  const longest = lists.reduce((length, list) => Math.max(length, list.length), 0);
  for (let round = 0; round < longest; round++) {
    for (const list of lists) if (round < list.length) order.push(list[round]!);
  }
  return order;
}
