import { useQuery } from "@tanstack/react-query";
import { getRun, type RunDetail, type RunRow, type StoredScore } from "@while/platform-client/contract";
import { difference, sameTest } from "@while/platform-client/rules";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call.ts";
import { change, half, points } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { CopyAs } from "../../parts/CopyAs.tsx";
import { Part } from "../../parts/Part.tsx";
import { tableText } from "../../parts/table-text.ts";
import { useChoices } from "../../use-search.ts";
import styles from "./ComparePart.module.css";
import { COMPARE_MOST } from "./compared.ts";
import { behaviorsOf, takenKnobs, takenScores } from "./compared-table.ts";
import { FlipsOfRuns } from "./FlipsOfRuns.tsx";
import { RunLink } from "./RunLink.tsx";
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
  const behavior = report.behavior?.name ?? null;
  return (
    <>
      {behavior !== null && <Flips runs={runs} behavior={behavior} />}
      <Knobs runs={runs} />
      <ScoresBeside runs={runs} />
    </>
  );
}

/** Which rollouts changed sides, for each run that posted its rows as the first did; of the rest one sentence. */
function Flips({ runs, behavior }: { runs: readonly RunDetail[]; behavior: string }): ReactNode {
  const without = runs.filter((run) => (newestScore(run, behavior)?.rows ?? 0) === 0);
  const [first, ...others] = runs;
  const paired = without.includes(first!) ? [] : others.filter((run) => !without.includes(run));
  return (
    <>
      {paired.map((run) => (
        <FlipsOfRuns key={run.id} before={first!} after={run} behavior={behavior} />
      ))}
      {without.length > 0 && (
        <p className="small">
          <span className="none">{paired.length === 0 ? "No flips:" : "Without flips:"}</span>{" "}
          {without.map(({ version, id }, place) => (
            <span key={id}>
              {place > 0 && ", "}
              <bdi>{version}</bdi>
            </span>
          ))}{" "}
          posted no graded rows of {behavior}.
        </p>
      )}
    </>
  );
}

function Head({ run }: { run: RunRow }): ReactNode {
  return (
    <th scope="col">
      <RunLink run={run.id}>
        <bdi>{run.version}</bdi>
      </RunLink>
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
  const shown = all ? knobs : differing;
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
      {shown.length > 0 && (
        <>
          <KnobTable rows={shown} runs={runs} />
          <p className={`note ${styles.take}`}>
            <CopyAs what="the settings" text={(format) => tableText(takenKnobs(shown, runs), format)} />
          </p>
        </>
      )}
    </div>
  );
}

function KnobTable({ rows, runs }: { rows: readonly KnobRow[]; runs: readonly RunDetail[] }): ReactNode {
  return (
    <div className={styles.wide}>
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
  const behaviors = behaviorsOf(runs);
  if (behaviors.length === 0) return <p className="small none">None of these runs was scored.</p>;
  return (
    <div>
      <div className={styles.wide}>
        <table className={styles.knobs}>
          <caption>
            Scores, each with its 95% interval, and under it the change from <bdi>{runs[0]?.version}</bdi>
          </caption>
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
              return (
                <tr key={behavior}>
                  <th scope="row">{behavior}</th>
                  {scores.map((score, place) => (
                    <td key={place} className="nowrap">
                      <ScoreBeside score={score} first={place === 0 ? null : scores[0]!} />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={`note ${styles.take}`}>
        <CopyAs what="the scores" text={(format) => tableText(takenScores(runs), format)} />
      </p>
    </div>
  );
}

/** A score with its interval, and under it the change from the first run's. */
function ScoreBeside({ score, first }: { score: StoredScore | null; first: StoredScore | null }): ReactNode {
  if (score === null) return <span className="none">not scored</span>;
  const [ours, theirs] = [score, first].map((one) => (one === null ? null : { ...one, v: "" }));
  const found = ours && theirs && sameTest(ours, theirs) ? difference(ours, theirs) : null;
  return (
    <>
      {points(score.score)} <span className="quiet">{score.ci == null ? "± not posted" : half(score.ci)}</span>
      {first !== null && (
        <span className={found === null ? "sub none" : "sub"}>
          {found === null
            ? "another test"
            : `${change(found.delta)}${found.halfWidth === null ? "" : ` ${half(found.halfWidth)}`}`}
        </span>
      )}
    </>
  );
}
