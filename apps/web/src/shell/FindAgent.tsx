import { useLocation, useNavigate } from "@tanstack/react-router";
import { listAgents, type TrackedInfo } from "@while/platform-client/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAnswer } from "../api/use-answer.ts";
import { age, counted } from "../numbers.ts";
import { Answered } from "../parts/Answered.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { agentVerdictWord } from "../verdict-word.ts";
import styles from "./FindAgent.module.css";
import { useKeys } from "./keys.tsx";
import { PAGES } from "./pages.ts";

/** Finds an agent by a part of its name, says how its candidate stands, and opens it on the page one is on. */
export function FindAgent(): ReactNode {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState("");
  const agents = useAnswer(listAgents, { when: open });
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useKeys([{ keys: "a", says: "find an agent", run: () => setOpen(true) }]);
  const found = (agents.data?.agents ?? []).filter(({ id, name }) =>
    `${name}\n${id}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const go = (agent: string): void => {
    setOpen(false);
    setWanted("");
    const page = PAGES.find(({ here }) => here(pathname))?.to ?? "/platform/runs";
    void navigate({ to: page, search: { agent } as never });
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (found[0] !== undefined) go(found[0].id);
  };
  return (
    <>
      <button type="button" className="bare" onClick={() => setOpen(true)}>
        Agents <span className="faint wide-only">a</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Agents">
        <form onSubmit={onSubmit}>
          <label className="sr" htmlFor="find-agent">
            Part of a name
          </label>
          <input
            id="find-agent"
            className="field"
            placeholder="Part of a name"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </form>
        <Answered of={agents} what="agents">
          {() => (
            <ul className={styles.found}>
              {found.slice(0, 50).map((agent) => (
                <Found key={agent.id} agent={agent} go={go} />
              ))}
              {found.length === 0 && <li className="none">No agent has that in its name.</li>}
              {found.length > 50 && <li className="note">{found.length - 50} more: write more of the name.</li>}
            </ul>
          )}
        </Answered>
      </Dialog>
    </>
  );
}

function Found({ agent, go }: { agent: TrackedInfo; go: (agent: string) => void }): ReactNode {
  const { id, name, runs, lastActivityAt, verdict } = agent;
  const { word, tone } = agentVerdictWord(verdict);
  return (
    <li className={styles.agent}>
      <button type="button" className="plain" onClick={() => go(id)}>
        <bdi>{name}</bdi>
      </button>
      <span>
        <span className={tone === "plain" ? undefined : tone}>{word}</span>
        {verdict?.candidate != null && verdict.kind !== "serving_only" && (
          <span className="quiet">
            , <bdi>{verdict.candidate}</bdi> on {verdict.behavior}
          </span>
        )}
      </span>
      <span className="note">
        {counted(runs, "run")}, {age(lastActivityAt)}
      </span>
    </li>
  );
}
