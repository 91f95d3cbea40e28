import {
  getBrief,
  getDashboard,
  getVerdict,
  listAgents,
  listPromotions,
  type PriceBook,
  promote,
} from "@while/platform-client/contract";
import { type ReactNode, useId, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { time } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";
import { movedOf, movedOfDeltas } from "./moved.ts";
import styles from "./PromoteButton.module.css";
import { pricedOf } from "./priced.ts";
import { type GuardLine, guardOf } from "./promote-guard.ts";
import { RollBack } from "./RollBack.tsx";
import { type Report, runOfVersion } from "./report.ts";
import { scorePoints } from "./score-groups.ts";

/** Characters that a reason may have. */
const REASON_MAX = 400;

export interface PromoteButtonProps {
  report: Report;
  book: PriceBook | null;
}

/** Asks once before a version serves: what carries it, and what comes with it. */
export function PromoteButton({ report, book }: PromoteButtonProps): ReactNode {
  // The question is about the two that were shown when it was asked; the page behind may move on.
  const [asked, setAsked] = useState<PromoteButtonProps | null>(null);
  const close = (): void => setAsked(null);
  const why = useId();
  const { candidate, serving } = report;
  const refusal =
    candidate === null
      ? "No version is scored beside the served one."
      : candidate === serving
        ? `${candidate} serves, and it is the newest that is scored here.`
        : null;
  return (
    <>
      <button
        type="button"
        className="button main"
        disabled={refusal !== null}
        aria-describedby={refusal === null ? undefined : why}
        onClick={() => setAsked({ report, book })}
      >
        {candidate === null || candidate === serving ? "Promote" : `Promote ${candidate}…`}
      </button>
      {refusal !== null && (
        <span className="note" id={why}>
          {refusal}
        </span>
      )}
      <Dialog
        open={asked !== null}
        onClose={close}
        title={
          <>
            Serve <bdi>{asked?.report.candidate}</bdi>
            {asked?.report.serving != null && (
              <>
                {" "}
                instead of <bdi>{asked.report.serving}</bdi>
              </>
            )}
            ?
          </>
        }
      >
        {asked !== null && <Guarded {...asked} onClose={close} />}
      </Dialog>
    </>
  );
}

function Guarded({ report, book, onClose }: PromoteButtonProps & { onClose: () => void }): ReactNode {
  const { verdict, candidate, serving, agent } = report;
  const [guard] = useState(() => guardOfReport(report, book));
  const [reason, setReason] = useState("");
  const promotions = useAnswer(listPromotions, { params: { id: agent.id } });
  const send = useSend(promote, {
    changes: [getDashboard, getVerdict, getBrief, listPromotions, listAgents],
    done: ({ serving: now }) => announce(`${now} serves from now on.`),
  });
  const last = promotions.data?.promotions[0];
  if (send.data !== undefined) {
    const { serving: now, previous, at } = send.data;
    return (
      <div className={styles.guard}>
        <p>
          <b>
            <bdi>{now}</bdi>
          </b>{" "}
          serves since {time(at)}
          {previous ? (
            <>
              , after <bdi>{previous}</bdi>
            </>
          ) : (
            ", the first that does"
          )}
          {last?.by ? `, promoted by ${last.by}` : ""}.
        </p>
        <div className="actions">
          <button type="button" className="button main" onClick={onClose}>
            Done
          </button>
          {previous && <RollBack agent={agent.id} to={previous} onDone={onClose} />}
        </div>
      </div>
    );
  }
  const missing = guard.needsReason && reason.trim() === "";
  return (
    <form
      className={styles.guard}
      onSubmit={(event) => {
        event.preventDefault();
        if (missing || candidate === null) return;
        const why = reason.trim();
        const body = { version: candidate, behavior: verdict.behavior, ...(why === "" ? {} : { reason: why }) };
        send.mutate({ params: { id: agent.id }, body });
      }}
    >
      <p className="small prose">
        <bdi>{verdict.text}</bdi>
      </p>
      <div className={styles.lists}>
        <Lines title="What carries it" lines={guard.carries} />
        <Lines title="What comes with it" lines={guard.comes} />
      </div>
      <label className="small">
        <span className="quiet">Reason, kept with the promotion. {guard.why}</span>
        <textarea
          className="field"
          placeholder="Why now"
          maxLength={REASON_MAX}
          required={guard.needsReason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <Refused error={send.error} />
      <div className="actions">
        <button type="submit" className="button main" disabled={missing || send.isPending}>
          Promote {candidate}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {serving === null ? "Not now" : `Keep ${serving}`} <span className="key">esc</span>
        </button>
        <span className={styles.who}>
          {missing && "Write a reason first. "}
          {last !== undefined && (
            <>
              Last: {last.previous === null ? "" : `${last.previous} to `}
              {last.version}
              {last.by === null ? "" : ` by ${last.by}`}, {time(last.at)}.{" "}
            </>
          )}
          Roll back stays one click.
        </span>
      </div>
    </form>
  );
}

function guardOfReport(report: Report, book: PriceBook | null) {
  const { verdict, scores, behaviors, candidate, serving, dashboard, runs, behavior } = report;
  const ours = candidate === null ? undefined : runOfVersion(report, { v: candidate });
  const theirs = serving === null ? undefined : runOfVersion(report, { v: serving });
  const moved =
    scores === null
      ? movedOfDeltas(candidate === dashboard.agent.candidate ? dashboard.deltas : [], behaviors)
      : movedOf({ scores, behaviors, candidate, serving, targets: ours?.targets ?? [] });
  const versions = scores?.find(({ name }) => name === behavior?.name)?.versions ?? dashboard.versions;
  const priced = book === null ? [] : pricedOf(scorePoints({ versions, runs, test: null, by: "version" }), runs, book);
  const costOf = (version: string | null) =>
    priced.find(({ point }) => point.version === version)?.price.usdPer1k ?? null;
  return guardOf({
    verdict,
    moved,
    harness: {
      candidate: ours?.record?.provenance?.pins?.harness ?? null,
      serving: theirs?.record?.provenance?.pins?.harness ?? null,
    },
    cost: { candidate: costOf(candidate), serving: costOf(serving) },
  });
}

function Lines({ title, lines }: { title: string; lines: readonly GuardLine[] }): ReactNode {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {lines.map(({ state, says }) => (
          <li key={says}>
            <CheckMark state={state} />
            <bdi>{says}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
