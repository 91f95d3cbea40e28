import {
  type Example,
  type RowTasksPage,
  type RowTasksQuery,
  TASK_ROLLOUTS_MAX,
} from "@while/platform-client/contract";
import { rolloutAgreement, taskAgreement } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import { bodiesOf, type NarrowRow, narrowRows } from "./row-flips.ts";
import { matching, offsetOf, type RowsOf, tagsWithin } from "./score-rows.ts";

const PAGE = 50;

interface Task {
  /** Place of its first rollout. */
  first: number;
  rollouts: NarrowRow[];
  n: number;
  passed: number;
}

/** Rows by their ask, each with all of its rollouts: those with a row that matches, and how alike they were graded. */
export async function findRowTasks(db: Db, of: RowsOf, asked: RowTasksQuery): Promise<RowTasksPage> {
  const from = offsetOf(asked.cursor);
  const tags = await tagsWithin(db, of, asked);
  const tasks = tasksOf(await narrowRows(db, of));
  const asksWhere = async (filters: RowTasksQuery): Promise<Task[]> => {
    const asks = await matching(db, of, filters, tags).select("ask").distinct().execute();
    return asks.map(({ ask }) => tasks.get(ask as string)!);
  };
  const looked = await asksWhere({ ...asked, ok: null });
  const found = asked.ok == null ? [...looked] : await asksWhere(asked);
  found.sort(ORDERS[asked.sort ?? "index"]);
  const shown = found.slice(from, from + (asked.limit ?? PAGE));
  const placesOf = ({ rollouts }: Task): number[] => rollouts.slice(0, TASK_ROLLOUTS_MAX).map(({ place }) => place);
  const bodies = await bodiesOf(db, of, shown.flatMap(placesOf));
  const end = from + shown.length;
  return {
    tasks: shown.map((task) => ({
      graded: task.rollouts.map(({ ok }) => ok),
      agreement: rolloutAgreement(task),
      rollouts: placesOf(task).map((place) => bodies.get(place) as Example),
      places: placesOf(task),
    })),
    total: found.length,
    agreement: taskAgreement(looked),
    nextCursor: end < found.length ? String(end) : null,
  };
}

function tasksOf(rows: readonly NarrowRow[]): Map<string, Task> {
  const tasks = new Map<string, Task>();
  for (const row of rows) {
    const task = tasks.get(row.key) ?? { first: row.place, rollouts: [], n: 0, passed: 0 };
    task.rollouts.push(row);
    task.n += 1;
    task.passed += Number(row.ok);
    tasks.set(row.key, task);
  }
  return tasks;
}

const byPlace = (a: Task, b: Task): number => a.first - b.first;
/** One rollout can disagree with nothing, and comes after those that agree. */
const alike = (task: Task): number => rolloutAgreement(task) ?? 2;

const ORDERS = {
  index: byPlace,
  passed: (a: Task, b: Task): number => a.passed / a.n - b.passed / b.n || byPlace(a, b),
  agreement: (a: Task, b: Task): number => alike(a) - alike(b) || byPlace(a, b),
} as const;
