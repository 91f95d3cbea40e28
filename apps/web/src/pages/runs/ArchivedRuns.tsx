import { getDashboard, listRuns, patchRun } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { date } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { announce } from "../../shell/announce.tsx";
import styles from "./ArchivedRuns.module.css";

/** Archived runs that are listed; they are rarely looked at. */
const MOST = 100;

/** The archived runs, folded, each with the way back. They are asked for when they are unfolded. */
export function ArchivedRuns({ agent }: { agent: string }): ReactNode {
  const [open, setOpen] = useState(false);
  const archived = useAnswer(listRuns, { query: { agent, archived: true, limit: MOST }, when: open });
  const restore = useSend(patchRun, {
    changes: [listRuns, getDashboard],
    done: (run) => announce(`${run.version} is back in the list.`),
  });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Archived runs</summary>
      {open && (
        <Answered of={archived} what="archived runs">
          {({ runs }) => {
            const old = runs.filter((run) => run.archived);
            return old.length === 0 ? (
              <p className="small none">None is archived.</p>
            ) : (
              <ul className={`small ${styles.archived}`}>
                {old.map((run) => (
                  <li key={run.id}>
                    <bdi>{run.version}</bdi> <span className="quiet">{run.id}</span>, created {date(run.createdAt)}{" "}
                    <button
                      type="button"
                      className="plain"
                      disabled={restore.isPending}
                      aria-label={`Restore ${run.version}, ${run.id}`}
                      onClick={() => restore.mutate({ params: { id: run.id }, body: { archived: false } })}
                    >
                      Restore
                    </button>
                  </li>
                ))}
                {runs.length === MOST && <li className="note">The newest {MOST} are listed.</li>}
              </ul>
            );
          }}
        </Answered>
      )}
      {restore.error !== null && <p className="small bad">{restore.error.message}</p>}
    </details>
  );
}
