import { listAgents, type RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Pick } from "../../parts/Pick.tsx";
import { textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { comparableRuns } from "./comparable-runs.ts";
import { OTHER_ROWS } from "./row-filters.ts";
import { useNewestRuns } from "./use-newest-runs.ts";

export interface FlipsPickProps {
  run: RunDetail;
  behavior: string;
}

/** Holds the rows against those of another version. */
export function FlipsPick({ run, behavior }: FlipsPickProps): ReactNode {
  const [search, choose] = useChoices();
  const agent = run.agent ?? "";
  const runs = useNewestRuns(agent).data?.runs ?? [];
  const agents = useAnswer(listAgents).data?.agents;
  const serving = agents?.find(({ id }) => id.toLowerCase() === agent.toLowerCase())?.serving;
  const others = comparableRuns(runs, { run: run.id, behavior, serving });
  const against = textOf(search, "flips") ?? "";
  if (others.length === 0 && against === "") return null;
  const options = [
    { value: "", label: "no other version" },
    ...others.map((other) => ({
      value: other.run,
      label: `${other.version}${other.version === serving ? ", which serves" : ""}`,
    })),
  ];
  if (against !== "" && !others.some((other) => other.run === against))
    options.push({ value: against, label: against });
  return (
    <span>
      flips against{" "}
      <Pick
        label="Show what changed against the rows of another version"
        value={against}
        options={options}
        onPick={(chosen) => choose({ ...OTHER_ROWS, kind: undefined, flips: chosen === "" ? undefined : chosen })}
      />
    </span>
  );
}
