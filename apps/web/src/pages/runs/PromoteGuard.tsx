import {
  getBrief,
  getDashboard,
  getVerdict,
  listAgents,
  listPromotions,
  type PriceBook,
  promote,
} from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { time } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";
import { movedOf, movedOfDeltas } from "./moved.ts";
import styles from "./PromoteGuard.module.css";
import { pricedOf } from "./priced.ts";
import { type GuardLine, guardOf } from "./promote-guard.ts";
import { RollBack } from "./RollBack.tsx";
import { type Report, runOfVersion } from "./report.ts";
import { scorePoints } from "./score-groups.ts";

/** Characters that a reason may have. */
const REASON_MAX = 400;

export interface PromoteGuardProps {
  report: Report;
  book: PriceBook | null;
  onClose: () => void;
}

/** What carries the claim and what comes with it, and the reason that is kept with the promotion. */
export function PromoteGuard({ report, book, onClose }: PromoteGuardProps): ReactNode {
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
    pins: { candidate: ours?.record?.provenance?.pins ?? {}, serving: theirs?.record?.provenance?.pins ?? {} },
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
