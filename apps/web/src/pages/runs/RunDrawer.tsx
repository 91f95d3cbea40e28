import { Link } from "@tanstack/react-router";
import {
  getBrief,
  getDashboard,
  getRun,
  getVerdict,
  listFigures,
  listRuns,
  patchRun,
  type RunDetail,
} from "@while/platform-client/contract";
import { type ReactNode, useEffect, useRef } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { fitName } from "../../marks/fit-name.ts";
import { half, points, time, whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { Part } from "../../parts/Part.tsx";
import { PlotlyFigure } from "../../parts/PlotlyFigure.tsx";
import { announce } from "../../shell/announce.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useDrawer } from "../../use-drawer.ts";
import figures from "./FiguresPart.module.css";
import { MissingOfRun } from "./MissingOfRun.tsx";
import styles from "./RunDrawer.module.css";
import { RunNote } from "./RunNote.tsx";
import { recordRows } from "./record-rows.ts";
import type { Report } from "./report.ts";
import { SampleRows } from "./SampleRows.tsx";
import { usePins } from "./use-pins.ts";
import type { WalkedList } from "./use-run-list.ts";

export interface RunDrawerProps {
  report: Report;
  run: string;
  /** The filtered list that it is walked in. */
  listed: WalkedList;
}

/** The run in hand: note, figures, record, scores with a sample, and what it lacks. */
export function RunDrawer({ report, run, listed }: RunDrawerProps): ReactNode {
  const drawer = useDrawer("run");
  const detail = useAnswer(getRun, { params: { id: run }, query: { max_points: 2 } });
  const section = useRef<HTMLDivElement>(null);
  const close = (): void => {
    drawer.close();
    // The row that opened it has the focus again.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`a[data-run="${CSS.escape(run)}"]`)?.focus());
  };
  const step = async (by: 1 | -1): Promise<void> => {
    const next = listed.ids[listed.ids.indexOf(run) + by];
    if (next !== undefined && listed.ids.includes(run)) return drawer.replaceBy(next);
    const beyond = await listed.beyond(by);
    if (beyond === null) announce(by > 0 ? "This is the last run of the list." : "This is the first run of the list.");
    else drawer.replaceBy(String(beyond.run), { page: beyond.page });
  };
  useKeys([
    { keys: "Escape", says: "close the run", run: close },
    { keys: "[", says: "previous run of the list", run: () => void step(-1) },
    { keys: "]", says: "next run of the list", run: () => void step(1) },
  ]);
  useEffect(() => {
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Part
      id="run"
      full
      title="Selected run"
      note={
        <>
          <kbd>esc</kbd> closes it, <kbd>[</kbd> and <kbd>]</kbd> walk the filtered list.
        </>
      }
    >
      <div className={styles.drawer} ref={section} tabIndex={-1}>
        <Answered of={detail} what="the run">
          {(answer) => <Opened run={answer} report={report} onClose={close} onStep={step} />}
        </Answered>
      </div>
    </Part>
  );
}

interface OpenedProps {
  run: RunDetail;
  report: Report;
  onClose: () => void;
  onStep: (by: 1 | -1) => Promise<void>;
}

function Opened({ run, report, onClose, onStep }: OpenedProps): ReactNode {
  const posted = useAnswer(listFigures, { params: { id: report.agent.id } });
  const { pins, onPin } = usePins(report);
  const archive = useSend(patchRun, {
    changes: [listRuns, getRun, getDashboard, getVerdict, getBrief],
    done: ({ archived, version }) => announce(archived ? `${version} is archived.` : `${version} is back in the list.`),
  });
  const own = posted.data?.figures.filter((figure) => figure.run === run.id) ?? [];
  return (
    <>
      <div className={styles.head}>
        <h3>
          <bdi>{run.version}</bdi> <span className="quiet">{run.id}</span>
        </h3>
        <span className="small quiet">
          <bdi>{run.status}</bdi>, {time(run.updatedAt)}
          {run.archived && ", archived"}
        </span>
        <span className="choices">
          <button type="button" className="plain" onClick={() => void onStep(-1)}>
            previous <span className="faint">[</span>
          </button>
          <button type="button" className="plain" onClick={() => void onStep(1)}>
            next <span className="faint">]</span>
          </button>
          <button type="button" className="plain" onClick={() => onPin(run.id)}>
            {pins.includes(run.id) ? "unpin" : "pin"}
          </button>
          <CopyButton text={run.id} what="the id">
            copy id
          </CopyButton>
          <button
            type="button"
            className="plain"
            disabled={archive.isPending}
            onClick={() => archive.mutate({ params: { id: run.id }, body: { archived: !run.archived } })}
          >
            {run.archived ? "restore" : "archive"}
          </button>
          <button type="button" className="plain" onClick={onClose}>
            close <span className="faint">esc</span>
          </button>
        </span>
      </div>
      {archive.error !== null && <p className="small bad">{archive.error.message}</p>}
      {run.error && (
        <div>
          <h4>Error</h4>
          <p className="as-written">
            <bdi>{run.error}</bdi>
          </p>
        </div>
      )}
      <RunNote key={run.id} run={run} />
      {own.length > 0 && (
        <div>
          <h4>Figures of this run</h4>
          <div className={figures.figures}>
            {own.map((figure) => (
              <PlotlyFigure key={figure.name} figure={figure} height={240} />
            ))}
          </div>
        </div>
      )}
      <Scores run={run} />
      <RecordOfRun run={run} />
      <MissingOfRun run={run} />
    </>
  );
}

function Scores({ run }: { run: RunDetail }): ReactNode {
  if (run.evals.length === 0) {
    return (
      <div>
        <h4>Scores</h4>
        <p className="small none">No behavior was scored.</p>
      </div>
    );
  }
  return (
    <div>
      <h4>Scores</h4>
      <table className={styles.scores}>
        <caption className="sr">Scores of {run.version}</caption>
        <thead>
          <tr>
            <th scope="col">behavior</th>
            <th scope="col" className="num">
              score
            </th>
            <th scope="col" className="num">
              n
            </th>
            <th scope="col" className="wide-only">
              test
            </th>
            <th scope="col">rows</th>
          </tr>
        </thead>
        <tbody>
          {run.evals.map((score) => (
            <tr key={`${score.behavior} ${score.testVersion ?? ""}`}>
              <th scope="row">
                {score.behavior}
                {run.targets.includes(score.behavior) && <span className="sub">target</span>}
              </th>
              <td className="num">
                {points(score.score)}{" "}
                {score.ci == null ? <span className="none">± not posted</span> : <span>{half(score.ci)}</span>}
              </td>
              <td className="num">{score.n == null ? <span className="none">not posted</span> : whole(score.n)}</td>
              <td className="wide-only name">
                {score.testVersion ? (
                  <bdi>{fitName(score.testVersion, 40)}</bdi>
                ) : (
                  <span className="none">unnamed</span>
                )}
              </td>
              <td>
                {(score.rows ?? 0) > 0 ? (
                  <Link
                    to="/platform/runs/$run/rows"
                    params={{ run: run.id }}
                    search={{ behavior: score.behavior } as never}
                  >
                    {whole(score.rows!)} rows
                  </Link>
                ) : (
                  <span className="none">not posted</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {run.evals.map((score) => (
        <SampleRows key={`${score.behavior} ${score.testVersion ?? ""}`} score={score} />
      ))}
    </div>
  );
}

function RecordOfRun({ run }: { run: RunDetail }): ReactNode {
  const rows = recordRows(run);
  const halfway = Math.ceil(rows.length / 2);
  return (
    <div>
      <h4>Record</h4>
      {rows.length === 0 ? (
        <p className="small none">Nothing was recorded.</p>
      ) : (
        <div className={styles.record}>
          {[rows.slice(0, halfway), rows.slice(halfway)].map((column, place) => (
            <dl key={place} className="defs">
              {column.map(({ block, key, value }) => (
                <div key={`${block}.${key}`} className="pair">
                  <dt>
                    <span className="sr">{block} </span>
                    <bdi>{key}</bdi>
                  </dt>
                  <dd>
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          ))}
        </div>
      )}
    </div>
  );
}
