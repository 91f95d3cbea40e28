import type { Example, RowTask, RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { number, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { CutText } from "../../parts/CutText.tsx";
import { countOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { ClippedText } from "./ClippedText.tsx";
import { markedPlaces, withMark } from "./marked-rows.ts";
import { OpenRow } from "./OpenRow.tsx";
import styles from "./OpenTask.module.css";

export interface OpenTaskProps {
  run: RunDetail;
  behavior: string;
  task: RowTask;
}

/** One task: what was asked, and every rollout beside the others. One of them can be read whole. */
export function OpenTask({ run, behavior, task }: OpenTaskProps): ReactNode {
  const [search, choose] = useChoices();
  const { graded, rollouts, places } = task;
  const [first] = rollouts;
  const chosen = countOf(search, "rollout", 0);
  const marked = markedPlaces(search);
  const show = (rollout: number | undefined): void =>
    choose({ rollout: rollout === undefined ? undefined : String(rollout) }, { keepPage: true, replace: true });
  const mark = (place: number): void => choose(withMark(search, place), { keepPage: true, replace: true });
  const whole = rollouts[chosen - 1];
  return (
    <div className={styles.task}>
      <div className={`${styles.asked} untrusted`}>
        <h3>What was asked</h3>
        <p className="as-written">
          {first?.prompt ? <CutText text={first.prompt} /> : <span className="none">no prompt posted</span>}
        </p>
        {first?.reference && (
          <p className="small quiet">
            Should: <CutText text={first.reference} />
          </p>
        )}
      </div>
      <ol className={styles.rollouts}>
        {rollouts.map((rollout, index) => (
          <Rollout
            key={places[index]}
            row={rollout}
            place={index + 1}
            open={chosen === index + 1}
            marked={marked.includes(places[index]!)}
            onShow={() => show(chosen === index + 1 ? undefined : index + 1)}
            onMark={() => mark(places[index]!)}
          />
        ))}
      </ol>
      {graded.length > rollouts.length && <More shown={rollouts.length} of={graded.length} />}
      {whole !== undefined && (
        <section className={styles.whole} aria-label={`Rollout ${chosen}`}>
          <h3>Rollout {chosen}</h3>
          <OpenRow
            run={run}
            behavior={behavior}
            row={whole}
            rollouts={graded}
            marked={marked.includes(places[chosen - 1]!)}
            onMark={() => mark(places[chosen - 1]!)}
            before={chosen > 1 ? () => show(chosen - 1) : null}
            after={chosen < rollouts.length ? () => show(chosen + 1) : null}
          />
        </section>
      )}
    </div>
  );
}

interface RolloutProps {
  row: Example;
  /** Among the rollouts of its task, from 1. */
  place: number;
  open: boolean;
  marked: boolean;
  onShow: () => void;
  onMark: () => void;
}

function Rollout({ row: { ok, reply, why, score }, place, open, marked, onShow, onMark }: RolloutProps): ReactNode {
  return (
    <li className={open ? styles.open : undefined}>
      <p className="note">
        <CheckMark state={ok ? "ok" : "failing"} hidden /> {ok ? "passed" : "failed"}
        {score != null && score !== Number(ok) && `, score ${number(score)}`}
      </p>
      <p className="small untrusted">
        {reply ? <ClippedText text={reply} /> : <span className="none">no reply posted</span>}
      </p>
      {why ? (
        <p className="note untrusted">
          <ClippedText text={why} />
        </p>
      ) : (
        !ok && <p className="note none">no reason posted</p>
      )}
      <p className="choices note">
        <button type="button" className="plain" aria-expanded={open} onClick={onShow}>
          {open ? "close" : "read whole"}
          <span className="sr">: rollout {place}</span>
        </button>
        <button type="button" className="plain" aria-pressed={marked} onClick={onMark}>
          {marked ? "unmark" : "mark"}
          <span className="sr"> rollout {place}</span>
        </button>
      </p>
    </li>
  );
}

function More({ shown, of }: { shown: number; of: number }): ReactNode {
  return (
    <p className="note">
      The first {whole(shown)} of {whole(of)} rollouts. A filter by row finds the others.
    </p>
  );
}
