import * as z from "zod";
import type { TaskAgreement } from "../rules/task-agreement.ts";
import { READ_RUNS } from "./agents.ts";
import { LIST_LIMIT_MAX } from "./caps.ts";
import { opt } from "./field.ts";
import { queryCount, type Route, route } from "./route.ts";
import { type RowsQuery, rowFilterFields, tagFilterValues } from "./rows.ts";
import { type Example, exampleSchema } from "./scores.ts";

/** Rollouts of one task that come whole; of more, the first in order of place. */
export const TASK_ROLLOUTS_MAX = 32;

/** In which order tasks come: as posted, those that pass least first, or those whose rollouts agree least first. */
export const TASK_SORTS = ["index", "passed", "agreement"] as const;

/** Which tasks: those with a row that matches. */
export interface RowTasksQuery extends Omit<RowsQuery, "sort" | "siblings"> {
  sort?: (typeof TASK_SORTS)[number] | null;
}

/** The rows of one prompt and reference: a task and its rollouts. */
export interface RowTask {
  /** Whether each rollout passed, in order of place. */
  graded: boolean[];
  /** Share of pairs of rollouts graded alike; null of one rollout. */
  agreement: number | null;
  rollouts: Example[];
  /** Place of each of these rollouts in the set. */
  places: number[];
}

export interface RowTasksPage {
  tasks: RowTask[];
  /** Tasks that match. */
  total: number;
  /** Over the tasks that match all filters but the grade: a task is not chosen by how it went. */
  agreement: TaskAgreement;
  nextCursor?: string | null;
}

export const getRowTasks: Route<null, RowTasksPage, RowTasksQuery> = route({
  id: "getRowTasks",
  call: "GET /runs/{id}/evals/{behavior}/tasks",
  summary: "Graded rows by task, with all rollouts of each and how alike they were graded.",
  tag: "rows",
  scopes: READ_RUNS,
  query: z
    .object({
      ...rowFilterFields,
      sort: opt(z.enum(TASK_SORTS)),
      limit: opt(queryCount(1, LIST_LIMIT_MAX)),
      cursor: opt(z.string().max(200)),
    })
    .catchall(tagFilterValues)
    .meta({ id: "RowTasksQuery" }) as unknown as z.ZodType<RowTasksQuery>,
  answer: z
    .object({
      tasks: z.array(
        z.object({
          graded: z.array(z.boolean()),
          agreement: z.number().nullable(),
          rollouts: z.array(exampleSchema),
          places: z.array(z.int()),
        }),
      ),
      total: z.int(),
      agreement: z.object({
        tasks: z.int(),
        repeated: z.int(),
        unanimous: z.int(),
        agreement: z.number().nullable(),
      }),
      nextCursor: opt(z.string()),
    })
    .meta({ id: "RowTasksPage" }),
  errors: ["not_found"],
});
