import { listAgents } from "@while/platform-client/contract";
import { Fragment, type ReactNode, useEffect } from "react";
import { useAnswer } from "../api/use-answer.ts";
import { textOf } from "../search.ts";
import { useChoices } from "../use-search.ts";
import { Answered } from "./Answered.tsx";
import { Empty } from "./Empty.tsx";

const TRACK = {
  TypeScript: `import { openClient } from "@while/platform-client/files";

const tracked = await openClient().track("refund-bot", { model });`,
  Python: `import whileai.platform as platform

tracked = platform.track("refund-bot", model=model)`,
  curl: `curl -X POST "$WHILEAI_API_URL/agents" -H "X-Api-Key: $WHILEAI_API_KEY" \\
  -H "Content-Type: application/json" -d '{"id": "refund-bot", "name": "refund-bot"}'`,
};

/** The agent that is chosen in the address; without a choice the one that was last active, and without any the way to track one. */
export function WithAgent({ children }: { children: (agent: string) => ReactNode }): ReactNode {
  const [search] = useChoices();
  const agent = textOf(search, "agent");
  // Another agent is another page: nothing of the last one stays while its own comes.
  return agent === undefined ? <NewestAgent /> : <Fragment key={agent}>{children(agent)}</Fragment>;
}

function NewestAgent(): ReactNode {
  const agents = useAnswer(listAgents);
  const [, choose] = useChoices();
  const newest = agents.data?.agents[0]?.id;
  useEffect(() => {
    if (newest !== undefined) choose({ agent: newest }, { replace: true });
  }, [newest, choose]);
  return (
    <Answered of={agents} what="agents">
      {({ agents }) =>
        agents.length === 0 && (
          <>
            <div className="title">
              <h1>No agent yet</h1>
            </div>
            <Empty title="Your agent’s versions, each with its held-out score, and a verdict" code={TRACK} alone>
              <p>
                Nothing is tracked under this account. Tracking sends an agent’s name, model, instructions and the names
                of its tools, and a hash of them. The agent itself stays where it runs.
              </p>
            </Empty>
          </>
        )
      }
    </Answered>
  );
}
