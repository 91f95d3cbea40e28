import { type FormEvent, type ReactNode, useEffect, useState } from "react";
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
  const [wanted, setWanted] = useState(q ?? "");
  useEffect(() => setWanted(q ?? ""), [q]);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    choose({ q: wanted.trim() || undefined, after: undefined });
  };
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
      <search aria-label="Sets">
        <form onSubmit={onSubmit}>
          <label>
            <span className="sr">Words in the name</span>
            <input
              id="find"
              className="field"
              type="search"
              placeholder="words in the name"
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
              onBlur={onSubmit}
            />
          </label>
        </form>
      </search>
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
