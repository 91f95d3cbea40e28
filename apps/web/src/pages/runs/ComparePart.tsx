import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { getRun, type RunDetail, type RunRow } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call.ts";
import { half, points } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Part } from "../../parts/Part.tsx";
import { EXACTLY } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import styles from "./ComparePart.module.css";
import { COMPARE_MOST } from "./compared.ts";
import { FlipsOfRuns } from "./FlipsOfRuns.tsx";
import { type KnobRow, knobDiff } from "./record-rows.ts";
import type { Report } from "./report.ts";
import { newestScore } from "./run-view.ts";

export interface ComparePartProps {
  report: Report;
  /** Two to eight runs, in the order they were picked. */
  runs: readonly string[];
}

/** Two to eight runs side by side: what differs in their records, their scores, and which tasks changed sides. */
export function ComparePart({ report, runs }: ComparePartProps): ReactNode {
  const [, choose] = useChoices();
  const ids = runs.slice(0, COMPARE_MOST);
  const details = useQuery({
    queryKey: [getRun.id, "compare", ids],
    queryFn: ({ signal }) =>
      Promise.all(ids.map((id) => call(getRun, { params: { id }, query: { max_points: 2 }, signal }))),
  });
  return (
    <Part
      id="compare"
      full
      title="Compare"
      note={
        <>
          The first that was picked is what the others are read against.{" "}
          {runs.length > COMPARE_MOST && `The first ${COMPARE_MOST} of ${runs.length} are shown. `}
          <button type="button" className="plain" onClick={() => choose({ compare: undefined }, { keepPage: true })}>
            close
          </button>
        </>
      }
    >
      <Answered of={details} what="the runs">
        {(answer) => <Compared runs={answer} report={report} />}
      </Answered>
    </Part>
  );
}

function Compared({ runs, report }: { runs: readonly RunDetail[]; report: Report }): ReactNode {
  const [first, ...others] = runs;
  const behavior = report.behavior?.name ?? null;
  return (
    <>
      {behavior !== null &&
        first !== undefined &&
        others.map((run) => <FlipsOfRuns key={run.id} before={first} after={run} behavior={behavior} />)}
      <Knobs runs={runs} />
      <ScoresBeside runs={runs} />
    </>
  );
}

function Head({ run }: { run: RunRow }): ReactNode {
  const [, choose] = useChoices();
  return (
    <th scope="col">
      <Link
        to="."
        activeOptions={EXACTLY}
        search={((before: object) => ({ ...before, run: run.id })) as never}
        resetScroll={false}
        onClick={() => choose({ run: run.id }, { keepPage: true })}
      >
        <bdi>{run.version}</bdi>
      </Link>
      <span className="sub">{run.id}</span>
    </th>
  );
}

function Knobs({ runs }: { runs: readonly RunDetail[] }): ReactNode {
  const [all, setAll] = useState(false);
  const knobs = knobDiff(runs);
  const differing = knobs.filter(({ same }) => !same);
  const harness = knobs.find(({ name }) => name === "provenance.pins.harness");
  const equal = knobs.length - differing.length;
  return (
    <div>
      <p className="small">
        {harness === undefined
          ? "No harness is pinned on these runs."
          : harness.same
            ? `The harness is the same on all, ${harness.values[0]}.`
            : "The harness differs: see its pins below."}{" "}
        {differing.length === 0
          ? "The records do not differ."
          : `${differing.length} ${differing.length === 1 ? "setting differs" : "settings differ"}.`}{" "}
        {equal > 0 && (
          <button type="button" className="plain" onClick={() => setAll(!all)} aria-pressed={all}>
            {all ? "hide what is equal" : `show ${equal} that are equal`}
          </button>
        )}
      </p>
      {(all ? knobs : differing).length > 0 && <KnobTable rows={all ? knobs : differing} runs={runs} />}
    </div>
  );
}

function KnobTable({ rows, runs }: { rows: readonly KnobRow[]; runs: readonly RunDetail[] }): ReactNode {
  return (
    <div className="wide-table">
      <table className={styles.knobs}>
        <caption className="sr">Records side by side</caption>
        <thead>
          <tr>
            <th scope="col">record</th>
            {runs.map((run) => (
              <Head key={run.id} run={run} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values, same }) => (
            <tr key={name}>
              <th scope="row" className="quiet">
                <bdi>{name}</bdi>
              </th>
              {values.map((value, place) => (
                <td key={place} className={same ? "faint" : undefined}>
                  {value === null ? <span className="none">not posted</span> : <bdi>{value}</bdi>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ScoresBeside({ runs }: { runs: readonly RunDetail[] }): ReactNode {
  const behaviors = [...new Set(runs.flatMap(({ evals }) => evals.map(({ behavior }) => behavior)))].sort();
  if (behaviors.length === 0) return <p className="small none">None of these runs was scored.</p>;
  return (
    <div className="wide-table">
      <table className={styles.knobs}>
        <caption>Scores, each with its 95% interval</caption>
        <thead>
          <tr>
            <th scope="col">behavior</th>
            {runs.map((run) => (
              <Head key={run.id} run={run} />
            ))}
          </tr>
        </thead>
        <tbody>
          {behaviors.map((behavior) => {
            const scores = runs.map((run) => newestScore(run, behavior));
            const test = scores[0]?.testVersion;
            return (
              <tr key={behavior}>
                <th scope="row">{behavior}</th>
                {scores.map((score, place) => (
                  <td key={place} className="nowrap">
                    {score === null ? (
                      <span className="none">not scored</span>
                    ) : (
                      <>
                        {points(score.score)}{" "}
                        <span className="quiet">{score.ci == null ? "± not posted" : half(score.ci)}</span>
                        {test && score.testVersion && score.testVersion !== test && (
                          <span className="sub none">another test</span>
                        )}
                      </>
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
