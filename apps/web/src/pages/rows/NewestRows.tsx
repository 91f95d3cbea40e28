import { useNavigate } from "@tanstack/react-router";
import { listAgents } from "@while/platform-client/contract";
import { type ReactNode, useEffect } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { WithAgent } from "../../parts/WithAgent.tsx";
import { textOf } from "../../search.ts";
import { useTitle } from "../../shell/title.ts";
import { useChoices } from "../../use-search.ts";
import { ROWS_CALL } from "./NoRows.tsx";
import { newestWithRows, newestWithSample } from "./newest-with-rows.ts";
import { LOOKED_AT, useNewestRuns } from "./use-newest-runs.ts";

/** Goes to the newest rows of an agent, those of its candidate first. */
export function NewestRows(): ReactNode {
  return <WithAgent>{(agent) => <NewestRowsOf agent={agent} />}</WithAgent>;
}

function NewestRowsOf({ agent }: { agent: string }): ReactNode {
  const [search] = useChoices();
  const behavior = textOf(search, "behavior");
  const agents = useAnswer(listAgents);
  const runs = useNewestRuns(agent);
  const navigate = useNavigate();
  useTitle("Rows", agent);
  const info = agents.data?.agents.find(({ id }) => id.toLowerCase() === agent.toLowerCase());
  const known = runs.data !== undefined && (agents.data !== undefined || agents.isError);
  const options = { behavior, candidate: info?.candidate };
  const place = known ? (newestWithRows(runs.data.runs, options) ?? newestWithSample(runs.data.runs, options)) : null;
  const { run, behavior: chosen } = place ?? {};
  useEffect(() => {
    if (run === undefined) return;
    const to = { agent, ...search, behavior: chosen };
    void navigate({ to: "/platform/runs/$run/rows", params: { run }, search: to as never, replace: true });
  }, [run, chosen, agent, search, navigate]);
  if (run !== undefined) return null;
  return (
    <>
      <div className="title">
        <h1>Rows</h1>
        <div className="facts">
          <span>
            <bdi>{info?.name ?? agent}</bdi>
          </span>
          {behavior !== undefined && (
            <span>
              <bdi>{behavior}</bdi>
            </span>
          )}
        </div>
      </div>
      <Answered of={runs} what="the runs">
        {() =>
          known && (
            <Part id="rows" title="Rows">
              <Empty
                title={
                  behavior === undefined ? "No run has graded rows yet" : `No run has graded rows of ${behavior} yet`
                }
                code={ROWS_CALL}
              >
                <p>
                  Post the graded rows behind a score: which failed, of which kind, and every one of them can be read
                  here, and compared with another version’s.
                </p>
                {runs.data?.nextCursor != null && <p>The {LOOKED_AT} newest runs were looked at.</p>}
              </Empty>
            </Part>
          )
        }
      </Answered>
    </>
  );
}
