import { listPromotions, type TrackedInfo } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { age, counted, date } from "../../numbers.ts";
import { Pick } from "../../parts/Pick.tsx";
import { useChoices } from "../../use-search.ts";
import { agentVerdictWord } from "../../verdict-word.ts";
import styles from "./AgentTitle.module.css";
import type { Report } from "./report.ts";
import { besidesOf, leadOf } from "./verdict-words.ts";

export interface AgentTitleProps {
  report: Report;
  agents: readonly TrackedInfo[];
  actions: ReactNode;
}

/** Whose page it is, and the sentence that answers its question. */
export function AgentTitle({ report, agents, actions }: AgentTitleProps): ReactNode {
  const { agent, serving, candidate, verdict, dashboard, behavior } = report;
  const [, choose] = useChoices();
  const promotions = useAnswer(listPromotions, { params: { id: agent.id } });
  const since = promotions.data?.promotions.find(({ version }) => version === serving)?.at;
  const scored = report.scores
    ?.find(({ name }) => name === behavior?.name)
    ?.versions.find(({ v }) => v === candidate)?.at;
  const others = agents.filter(({ id }) => id !== agent.id);
  const besides = besidesOf(verdict);
  return (
    <div className="title">
      <h1>
        <bdi>{agent.name}</bdi>
      </h1>
      <div className="actions">{actions}</div>
      <div className="facts">
        {agent.name !== agent.id && <span>{agent.id}</span>}
        {agent.model && (
          <span>
            <bdi>{agent.model}</bdi>
          </span>
        )}
        {agent.harness && (
          <span>
            harness <bdi>{agent.harness.label}</bdi> <span className="faint">{agent.harness.hash}</span>
          </span>
        )}
        <span>
          {serving === null ? (
            "no version serves"
          ) : (
            <>
              serves{" "}
              <b>
                <bdi>{serving}</bdi>
              </b>
              {since !== undefined && ` since ${date(since)}`}
            </>
          )}
        </span>
        {candidate !== null && candidate !== serving && (
          <span>
            candidate{" "}
            <b className="accent">
              <bdi>{candidate}</bdi>
            </b>
            {scored !== undefined && `, scored ${date(scored)}`}
          </span>
        )}
        {others.length > 0 && <AgentSwitch agents={agents} agent={agent.id} />}
      </div>
      {behavior === null ? (
        <p className="lead">No behavior is declared yet, so nothing can be compared.</p>
      ) : (
        <p className={`lead ${styles.lead}`}>
          <bdi>{leadOf(verdict)}</bdi>{" "}
          <span className={styles.behavior}>
            <Pick
              label="behavior"
              value={behavior.name}
              options={dashboard.behaviors}
              onPick={(name) => choose({ behavior: name, version: undefined })}
            />
            .
          </span>
          {besides !== null && <span className={styles.besides}> {besides}</span>}
        </p>
      )}
    </div>
  );
}

/** Up to 50 in the choice; among more one looks by name. */
function AgentSwitch({ agents, agent }: { agents: readonly TrackedInfo[]; agent: string }): ReactNode {
  const [, choose] = useChoices();
  const near = agents.slice(0, 50);
  const listed = near.some(({ id }) => id === agent) ? near : [...agents.filter(({ id }) => id === agent), ...near];
  return (
    <span>
      <Pick
        label="another agent"
        value={agent}
        options={listed.map(({ id, name, lastActivityAt, verdict }) => ({
          value: id,
          // Whose page it is stands in the heading; closed, the choice says how many others there are.
          label:
            id === agent
              ? counted(agents.length - 1, "other agent")
              : `${name}: ${agentVerdictWord(verdict).word.toLowerCase()}, ${age(lastActivityAt)}`,
        }))}
        onPick={(id) =>
          choose({
            ...{ agent: id, behavior: undefined, version: undefined, run: undefined, compare: undefined, q: undefined },
            ...{ sort: undefined, method: undefined, status: undefined, pin: undefined, columns: undefined },
            ...{ curve: undefined, series: undefined, from: undefined, to: undefined },
          })
        }
      />
      {agents.length > listed.length && ` and ${agents.length - listed.length} more, by name under Agents`}
    </span>
  );
}
