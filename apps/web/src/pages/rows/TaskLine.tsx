import type { Example, RowTask } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { percent, whole } from "../../numbers.ts";
import { ClippedText } from "./ClippedText.tsx";
import { Rollouts } from "./Rollouts.tsx";
import { sharedTags } from "./shared-tags.ts";
import styles from "./TaskLine.module.css";

export interface TaskLineProps {
  task: RowTask;
  /** In the filtered list, from 1. */
  place: number;
  open: boolean;
  inHand: boolean;
  onToggle: () => void;
  onFocus: () => void;
}

/** One task in a line: how its rollouts were graded, how far they agree, and why those failed that did. */
export function TaskLine({ task, place, open, inHand, onToggle, onFocus }: TaskLineProps): ReactNode {
  const { graded, agreement, rollouts } = task;
  const passed = graded.filter(Boolean).length;
  const prompt = rollouts[0]?.prompt;
  const state = open ? "here" : inHand ? "hand" : undefined;
  return (
    <tr className={state}>
      <td className={styles.place}>
        <button
          type="button"
          id={`open-task-${place}`}
          className="bare"
          aria-expanded={open}
          aria-controls={open ? `task-${place}` : undefined}
          onClick={onToggle}
          onFocus={onFocus}
        >
          <span className="sr">Task </span>
          {whole(place)}
        </button>
      </td>
      <td className={styles.grades}>
        <Rollouts graded={graded} />
        <span className="sub">
          {whole(passed)} of {whole(graded.length)}
        </span>
      </td>
      <td className={styles.alike}>
        {agreement === null ? <span className="none">one</span> : percent(agreement)}
        {agreement === 1 && <span className="sub">all alike</span>}
      </td>
      <td className="untrusted">
        <p className="q">{prompt ? <ClippedText text={prompt} /> : <span className="none">no prompt posted</span>}</p>
      </td>
      <td className={`${styles.why} untrusted`}>
        <Reasons rollouts={rollouts} />
      </td>
      <td className={`${styles.tags} wide-only untrusted`}>
        {sharedTags(rollouts).map(([key, value], index) => (
          <span key={key} title={key}>
            {index > 0 && ", "}
            <bdi>{value}</bdi>
          </span>
        ))}
      </td>
    </tr>
  );
}

/** Why rollouts failed: the same words once, with how many times. */
function Reasons({ rollouts }: { rollouts: readonly Example[] }): ReactNode {
  const counts = new Map<string, number>();
  for (const { ok, why } of rollouts) if (!ok) counts.set(why ?? "", (counts.get(why ?? "") ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a);
  return reasons.slice(0, 2).map(([why, n]) => (
    <p key={why}>
      {why === "" ? <span className="none">no reason posted</span> : <ClippedText text={why} />}
      {n > 1 && <span className="faint"> × {n}</span>}
    </p>
  ));
}
