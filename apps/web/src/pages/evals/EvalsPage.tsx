import { Link } from "@tanstack/react-router";
import { getEvals, listAgents, listBehaviors } from "@while/platform-client/contract";
import { type ReactNode, useEffect } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { time, whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Choice } from "../../parts/Choice.tsx";
import { CopyButton, copy } from "../../parts/CopyButton.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { SaveTable } from "../../parts/SaveTable.tsx";
import { WithAgent } from "../../parts/WithAgent.tsx";
import { choiceOf, textOf } from "../../search.ts";
import { useKeys } from "../../shell/keys.tsx";
import { useTitle } from "../../shell/title.ts";
import { useChoices } from "../../use-search.ts";
import { CheckMatrix } from "./CheckMatrix.tsx";
import { CHECK_COLUMNS, checkCells } from "./check-table.ts";
import { EvalPart, evalId } from "./EvalPart.tsx";
import { evalsLead, failingCount } from "./evals-lead.ts";
import { failingChecks } from "./failing-checks.ts";
import { NoBehavior } from "./NoBehavior.tsx";
import { useVersionScores } from "./use-version-scores.ts";

/** More behaviors than that are not all laid out at once. */
const MANY = 24;

/** Is each number real? One agent's behaviors, each with eight checks of the test behind it. */
export function EvalsPage(): ReactNode {
  return <WithAgent>{(agent) => <AgentEvals agent={agent} />}</WithAgent>;
}

function AgentEvals({ agent }: { agent: string }): ReactNode {
  const params = { id: agent };
  const evals = useAnswer(getEvals, { params });
  const behaviors = useAnswer(listBehaviors, { params }).data?.behaviors;
  const info = useAnswer(listAgents).data?.agents.find(({ id }) => id.toLowerCase() === agent.toLowerCase());
  const scores = useVersionScores(agent);
  const name = info?.name ?? agent;
  const answered = evals.data?.evals ?? [];
  const failing = failingCount(answered);
  useTitle("Evals", name);
  useScrollToChosen(answered.length > 0 && scores !== undefined);
  useKeys([
    {
      keys: "c",
      says: "copy failing checks for an agent",
      run: () => void copy(failingChecks(name, answered), "the failing checks"),
    },
    { keys: "j", says: "next behavior", run: () => stepTo(1) },
    { keys: "k", says: "previous behavior", run: () => stepTo(-1) },
  ]);
  const [search] = useChoices();
  const shown = choiceOf(search, "show", ["all", "weak"]);
  const versions = new Set([...(scores?.values() ?? [])].flatMap((list) => list.map(({ v }) => v))).size;
  return (
    <>
      <div className="title">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {answered.length > 0 && (
          <div className="actions taking">
            {failing > 0 && (
              <CopyButton
                text={() => failingChecks(name, answered)}
                what="the failing checks for an agent"
                className="button"
              >
                Copy failing checks for agent{" "}
                <span className="key wide-only" aria-hidden="true">
                  c
                </span>
              </CopyButton>
            )}
            <SaveTable name="checks" heads={CHECK_COLUMNS} rows={() => checkCells(answered)} />
          </div>
        )}
        <div className="facts">
          {evals.data !== undefined && <span>{counted(answered.length, "behavior")}</span>}
          {scores !== undefined && <span>{counted(versions, "version")} scored</span>}
          {evals.data !== undefined && <span>{counted(failing, "failing check")}</span>}
          <Link to="/platform/runs" search={{ agent } as never}>
            Runs
          </Link>
        </div>
        {answered.length > 0 && <p className="lead">{evalsLead(answered)}</p>}
      </div>
      <Answered of={evals} what="the evals">
        {({ evals: all }) => {
          if (all.length === 0) return <NoBehavior agent={agent} />;
          const weak = all.filter(({ good, total }) => good < total);
          const list = shown === "weak" && weak.length > 0 ? weak : all;
          return (
            <>
              <CheckMatrix
                evals={list}
                scores={scores}
                behaviors={behaviors}
                choice={
                  weak.length > 0 &&
                  weak.length < all.length && (
                    <Choice
                      name="show"
                      now={shown}
                      choices={[
                        { value: "all", label: `all ${whole(all.length)}` },
                        { value: "weak", label: `weak ${whole(weak.length)}` },
                      ]}
                    />
                  )
                }
              />
              {list.map((health) => (
                <EvalPart
                  key={health.name}
                  agent={agent}
                  health={health}
                  behavior={behaviors?.find((one) => one.name === health.name)}
                  versions={scores?.get(health.name) ?? (scores === undefined ? undefined : [])}
                  serving={info?.serving}
                  candidate={info?.candidate}
                  ofMany={list.length > MANY}
                />
              ))}
            </>
          );
        }}
      </Answered>
      <Foot
        json={`/agents/${encodeURIComponent(agent)}/evals`}
        keys={["? keys", "c copy for agent", "j k behaviors", "Enter open"]}
      >
        {evals.data !== undefined && <span>As of {time(evals.dataUpdatedAt)}</span>}
      </Foot>
    </>
  );
}

function counted(n: number, what: string): string {
  return `${whole(n)} ${what}${n === 1 ? "" : "s"}`;
}

/** Moves the focus along the behaviors of the table that is shown, so that Enter opens the one it is on. */
function stepTo(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>("a[data-eval]")].filter(
    ({ offsetParent }) => offsetParent !== null,
  );
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
}

/** The behavior that the address names comes into view once it is drawn. */
function useScrollToChosen(drawn: boolean): void {
  const [search] = useChoices();
  const behavior = textOf(search, "behavior");
  useEffect(() => {
    if (!drawn) return;
    const named = decodeURIComponent(location.hash.slice(1));
    const places = [named, evalId(named), ...(behavior === undefined ? [] : [evalId(behavior)])];
    const found = places.map((id) => document.getElementById(id)).find((element) => element !== null);
    found?.scrollIntoView();
  }, [drawn, behavior]);
}
