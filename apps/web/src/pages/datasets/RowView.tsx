import type { TaskProfile } from "@while/platform-client/contract";
import { type Row, taskKey } from "@while/schema";
import type { ReactNode } from "react";
import { number, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Code } from "../../parts/Code.tsx";
import { FoldedText } from "../../parts/FoldedText.tsx";
import { turnsOf } from "./conversation-turns.ts";

/** From this reward on a row passes. */
const PASS = 0.5;

export interface RowViewProps {
  row: Readonly<Record<string, unknown>>;
  json: boolean;
  /** How the rollouts of each task went, by the key of the task; empty where that is not known. */
  tasks: ReadonlyMap<string, TaskProfile>;
}

/** One row: its verdict and task, then the conversation, or the whole of it as it is stored. */
export function RowView({ row, json, tasks }: RowViewProps): ReactNode {
  const task = tasks.get(taskKey(row as Row));
  return (
    <article>
      <h3 className="verdict-of-row">
        <Verdict reward={row.reward} />
        <Task row={row} />
        {task !== undefined && task.graded > 1 && `, ${whole(task.passed)} of ${whole(task.graded)} pass`}
      </h3>
      {json ? <Code code={JSON.stringify(row, null, 2)} what="the row" /> : <Turns row={row} />}
    </article>
  );
}

function Verdict({ reward }: { reward: unknown }): ReactNode {
  if (typeof reward !== "number" || !Number.isFinite(reward)) {
    return (
      <>
        <CheckMark state="open" hidden /> <span className="none">ungraded</span>
      </>
    );
  }
  return (
    <>
      <CheckMark state={reward >= PASS ? "ok" : "failing"} hidden /> reward {number(reward)}
    </>
  );
}

function Task({ row }: { row: Readonly<Record<string, unknown>> }): ReactNode {
  const task = row.task_id ?? row.scenario_id;
  if (task === undefined || task === null) return null;
  return (
    <span className="wrap">
      , task <bdi>{String(task)}</bdi>
      {typeof row.rollout_index === "number" && `, rollout ${number(row.rollout_index)}`}
    </span>
  );
}

function Turns({ row }: { row: Readonly<Record<string, unknown>> }): ReactNode {
  const turns = turnsOf(row);
  if (turns.length === 0) return <p className="none">The row tells no conversation. Its JSON has what it holds.</p>;
  return (
    <>
      {turns.map(({ who, text, code }, i) => (
        <div key={i} className="turn">
          <b>{who}</b>
          <FoldedText text={text} code={code} />
        </div>
      ))}
      {typeof row.reason === "string" && row.reason !== "" && (
        <div className="turn quiet">
          <b>why</b>
          <FoldedText text={row.reason} />
        </div>
      )}
    </>
  );
}
