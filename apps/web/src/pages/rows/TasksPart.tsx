import {
  getRowTasks,
  type RowsSummary,
  type RowTasksQuery,
  type RunDetail,
  TASK_SORTS,
} from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Part } from "../../parts/Part.tsx";
import { choiceOf, countOf, textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { ListChoices } from "./ListChoices.tsx";
import { NoMatch } from "./NoMatch.tsx";
import { isFiltered, queryOf, readFilters } from "./row-filters.ts";
import { cursorOf, PAGE_ROWS, pageOf } from "./row-pages.ts";
import { TaskList } from "./TaskList.tsx";
import { agreementSentence } from "./task-words.ts";

export interface TasksPartProps {
  run: RunDetail;
  behavior: string;
  all: RowsSummary;
}

/** The rows by task: how far the rollouts of one ask agree, and what they said side by side. */
export function TasksPart({ run, behavior, all }: TasksPartProps): ReactNode {
  const [search, choose] = useChoices();
  const filters = readFilters(search);
  const place = textOf(search, "task") === undefined ? null : countOf(search, "task", 1);
  const page = place === null ? countOf(search, "page", 1) : pageOf(place);
  const query: RowTasksQuery = {
    ...(queryOf(filters) as RowTasksQuery),
    ...{ limit: PAGE_ROWS, cursor: cursorOf(page), sort: choiceOf(search, "sort", TASK_SORTS) },
  };
  const answer = useAnswer(getRowTasks, { params: { id: run.id, behavior }, query });
  const title = { all: "Tasks", passed: "Tasks with a pass", failed: "Tasks with a failure" }[filters.graded];
  return (
    <Part id="tasks" title={title} full note={<ListChoices run={run} behavior={behavior} />}>
      <Answered of={answer} what="the tasks">
        {(found) =>
          found.total === 0 && isFiltered(filters) ? (
            <NoMatch filters={filters} all={all} />
          ) : (
            <>
              <p className="prose small">{agreementSentence(found.agreement)}</p>
              <TaskList
                run={run}
                behavior={behavior}
                tasks={found.tasks}
                total={found.total}
                page={page}
                stale={answer.isPlaceholderData}
                open={place}
              />
              <Pager
                page={page}
                size={PAGE_ROWS}
                total={found.total}
                what="tasks"
                onPage={(wanted) =>
                  choose(
                    { task: undefined, rollout: undefined, page: wanted > 1 ? String(wanted) : undefined },
                    { keepPage: true },
                  )
                }
              />
            </>
          )
        }
      </Answered>
    </Part>
  );
}
