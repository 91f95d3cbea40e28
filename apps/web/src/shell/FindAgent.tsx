import { useNavigate } from "@tanstack/react-router";
import { listAgents } from "@while/platform-client/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAnswer } from "../api/use-answer.ts";
import { age } from "../numbers.ts";
import { Answered } from "../parts/Answered.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { useKeys } from "./keys.tsx";

/** Finds an agent by a part of its name and opens it on the page one is on. */
export function FindAgent(): ReactNode {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState("");
  const agents = useAnswer(listAgents, { when: open });
  const navigate = useNavigate();
  useKeys([{ keys: "a", says: "find an agent", run: () => setOpen(true) }]);
  const found = (agents.data?.agents ?? []).filter(({ id, name }) =>
    `${name}\n${id}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const go = (agent: string): void => {
    setOpen(false);
    setWanted("");
    void navigate({ to: "/platform/runs", search: { agent } as never });
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
            <ul className="found">
              {found.slice(0, 50).map(({ id, name, runs, lastActivityAt }) => (
                <li key={id}>
                  <button type="button" className="plain" onClick={() => go(id)}>
                    {name}
                  </button>{" "}
                  <span className="note">
                    {runs} runs, {age(lastActivityAt)}
                  </span>
                </li>
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
