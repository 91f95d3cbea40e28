import type { ReactNode } from "react";
import { FindField } from "../../parts/FindField.tsx";
import { useChoices } from "../../use-search.ts";

export const PURPOSE_CHOICES = ["all", "train", "holdout", "eval", "raw"] as const;

export interface SetFiltersProps {
  purpose: (typeof PURPOSE_CHOICES)[number];
  agent: string | undefined;
  q: string | undefined;
}

/** Which sets are listed: for what they are, of whom, and what is in their name. */
export function SetFilters({ purpose, agent, q }: SetFiltersProps): ReactNode {
  const [, choose] = useChoices();
  return (
    <div className="filters">
      <fieldset className="bare-set">
        <legend className="sr">Purpose</legend>
        <div className="choices">
          {PURPOSE_CHOICES.map((choice) => (
            <button
              key={choice}
              type="button"
              className="bare choice"
              aria-pressed={choice === purpose}
              onClick={() => choose({ purpose: choice === "all" ? undefined : choice, after: undefined })}
            >
              {choice}
            </button>
          ))}
        </div>
      </fieldset>
      <FindField of="Sets" label="Words in the name" q={q} />
      {agent !== undefined && (
        <p className="small quiet">
          of <bdi className="wrap">{agent}</bdi>{" "}
          <button type="button" className="plain" onClick={() => choose({ agent: undefined, after: undefined })}>
            all agents
          </button>
        </p>
      )}
    </div>
  );
}
