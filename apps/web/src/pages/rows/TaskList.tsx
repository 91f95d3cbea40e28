import type { RowTask, RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { countOf } from "../../search.ts";
import { announce } from "../../shell/announce.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useChoices } from "../../use-search.ts";
import { markedPlaces, withMark } from "./marked-rows.ts";
import { OpenTask } from "./OpenTask.tsx";
import { PAGE_ROWS, pageOf } from "./row-pages.ts";
import { TaskLine } from "./TaskLine.tsx";
import styles from "./TaskList.module.css";
import { useHand } from "./use-hand.ts";

export interface TaskListProps {
  run: RunDetail;
  behavior: string;
  /** One page of them. */
  tasks: readonly RowTask[];
  total: number;
  page: number;
  stale: boolean;
  /** Place of the open task in the filtered list, from 1. */
  open: number | null;
}

const COLUMNS = 6;

/** Tasks as a table; the open one lies under its own line, with its rollouts side by side. */
export function TaskList({ run, behavior, tasks, total, page, stale, open }: TaskListProps): ReactNode {
  const [search, choose] = useChoices();
  const first = (page - 1) * PAGE_ROWS + 1;
  const hand = useHand({
    ...{ first, count: tasks.length, total, stale },
    idOf: (place) => `open-task-${place}`,
  });
  const toggle = (place: number): void => {
    const closing = open === place;
    choose(
      {
        task: closing ? undefined : String(place),
        rollout: undefined,
        page: closing && page > 1 ? String(page) : undefined,
      },
      // Closing is no step of its own: Back goes to what was before it was opened, and does not open it again.
      { keepPage: true, replace: open !== null },
    );
  };
  const step = (by: number): void => {
    if (open === null || open + by < 1 || open + by > total) return;
    hand.take(open + by);
    choose({ task: String(open + by), rollout: undefined, page: undefined }, { keepPage: true, replace: true });
  };
  const move = (by: number): void => {
    const from = hand.place ?? open ?? (by > 0 ? first - 1 : first + tasks.length);
    const place = Math.max(1, Math.min(total, from + by));
    hand.take(place);
    if (pageOf(place) !== page)
      choose({ task: undefined, rollout: undefined, page: String(pageOf(place)) }, { keepPage: true });
  };
  const opened = open === null || stale ? undefined : tasks[open - first];
  const rollout = countOf(search, "rollout", 0);
  useKeys([
    { keys: "j", says: "next task", run: () => move(1) },
    { keys: "k", says: "task before", run: () => move(-1) },
    { keys: "Enter", says: "open or close the task", run: () => toggle(hand.place ?? open ?? first) },
    { keys: "]", says: "open the next task of the filtered list", run: () => step(1) },
    { keys: "[", says: "open the task before in the filtered list", run: () => step(-1) },
    ...(open === null ? [] : [{ keys: "Escape", says: "close the task", run: () => toggle(open) }]),
    ...(opened === undefined || opened.places[rollout - 1] === undefined
      ? []
      : [
          {
            keys: "x",
            says: "mark the open rollout, to hold it beside others",
            run: () => {
              const place = opened.places[rollout - 1]!;
              announce(markedPlaces(search).includes(place) ? "The mark is taken off." : "Marked.");
              choose(withMark(search, place), { keepPage: true, replace: true });
            },
          },
        ]),
  ]);
  return (
    <table className={`${styles.tasks} tasks`} aria-rowcount={total + 1} aria-busy={stale}>
      <caption className="sr">
        Tasks {first} to {first + tasks.length - 1} of {total}
      </caption>
      <thead>
        <tr>
          <th scope="col">task</th>
          <th scope="col">passed</th>
          <th scope="col">pairs alike</th>
          <th scope="col">asked</th>
          <th scope="col">why they failed</th>
          <th scope="col" className="wide-only">
            tags
          </th>
        </tr>
      </thead>
      {tasks.map((task, index) => {
        const place = first + index;
        const isOpen = place === open && !stale;
        return (
          <tbody key={place}>
            <TaskLine
              task={task}
              place={place}
              open={isOpen}
              inHand={hand.place === place}
              onToggle={() => toggle(place)}
              onFocus={() => hand.touch(place)}
            />
            {isOpen && (
              <tr className={styles.open} id={`task-${place}`}>
                <td colSpan={COLUMNS}>
                  <OpenTask run={run} behavior={behavior} task={task} />
                </td>
              </tr>
            )}
          </tbody>
        );
      })}
    </table>
  );
}
