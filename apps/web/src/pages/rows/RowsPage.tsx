import { useParams } from "@tanstack/react-router";
import { getRun, type RunDetail } from "@while/platform-client/contract";
import { type ReactNode, useEffect } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { textOf } from "../../search.ts";
import { useTitle } from "../../shell/title.ts";
import { useChoices } from "../../use-search.ts";
import { scoreOf } from "../evals/samples.ts";
import { BehaviorRows } from "./BehaviorRows.tsx";
import { ROWS_CALL } from "./NoRows.tsx";
import "../../styles/rows.css";

/** What did it get wrong? The graded rows behind one score of one run. */
export function RowsPage(): ReactNode {
  const { run = "" } = useParams({ strict: false }) as { run?: string };
  const detail = useAnswer(getRun, { params: { id: run }, query: { max_points: 2 } });
  useTitle("Rows", detail.data?.version);
  return detail.data === undefined ? (
    <>
      <div className="title">
        <h1>Rows</h1>
      </div>
      <Answered of={detail} what={`the run ${run}`}>
        {() => null}
      </Answered>
    </>
  ) : (
    <Answered of={detail} what={`the run ${run}`}>
      {(found) => <RowsOfRun key={found.id} run={found} />}
    </Answered>
  );
}

function RowsOfRun({ run }: { run: RunDetail }): ReactNode {
  const [search, choose] = useChoices();
  const asked = textOf(search, "behavior");
  const behavior = asked ?? firstScored(run);
  const agent = textOf(search, "agent") ?? run.agent ?? undefined;
  const complete = textOf(search, "agent") === agent && asked === behavior;
  useEffect(() => {
    if (!complete) choose({ agent, behavior }, { replace: true, keepPage: true });
  }, [complete, agent, behavior, choose]);
  if (behavior !== undefined)
    return <BehaviorRows key={behavior} run={run} behavior={behavior} score={scoreOf(run, behavior)} />;
  return (
    <>
      <div className="title">
        <h1>Rows</h1>
        <div className="facts">
          <span>
            version <b>{run.version}</b>, {run.id}
          </span>
        </div>
        <p className="lead">Nothing is scored on this run yet.</p>
      </div>
      <Empty title="No score, and no rows" code={ROWS_CALL}>
        <p>Score the run on a behavior and give its graded rows along: each of them can be read here.</p>
      </Empty>
    </>
  );
}

/** The behavior whose rows are shown when none is named: one with rows, and of those the one that the run claims to move. */
function firstScored({ evals, targets }: RunDetail): string | undefined {
  const withRows = evals.filter(({ rows }) => (rows ?? 0) > 0);
  const some = withRows.length > 0 ? withRows : evals;
  return (some.find(({ behavior }) => targets.includes(behavior)) ?? some[0])?.behavior;
}
