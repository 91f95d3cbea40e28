import {
  createKey,
  KEY_NAME_MAX,
  listAudit,
  listKeys,
  type NewKey,
  SCOPES,
  type Scope,
} from "@while/platform-client/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { useSend } from "../../api/use-send.ts";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { SCOPE_SETS } from "./scope-words.ts";

const DAY_MS = 86_400_000;
const LIVES = ["7", "30", "90", "365"] as const;
const ONE_BY_ONE = "one by one";

/** Makes a key, and shows it whole, once. */
export function NewKeyForm({ full, limit }: { full: boolean; limit: number }): ReactNode {
  const [name, setName] = useState("");
  const [set, setSet] = useState(SCOPE_SETS[0]!.name);
  const [picked, setPicked] = useState<readonly Scope[]>([]);
  const [agents, setAgents] = useState("");
  const [days, setDays] = useState("90");
  const make = useSend(createKey, { changes: [listKeys, listAudit], done: () => setName("") });
  const scopes = SCOPE_SETS.find((known) => known.name === set)?.scopes ?? picked;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const body: NewKey = { name: name.trim(), scopes: [...scopes] };
    if (days !== "") body.expires_at = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const named = agents.split(/[\s,]+/).filter((agent) => agent !== "");
    if (named.length > 0) body.agents = named;
    make.mutate({ body });
  };
  return (
    <>
      <form className="newkey" onSubmit={onSubmit} aria-label="New key">
        <div className="fields">
          <label>
            <span>Name</span>
            <input
              className="field"
              required
              maxLength={KEY_NAME_MAX}
              placeholder="what machine holds it"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <div>
            <span className="note">May</span>
            <Pick
              label="May do"
              value={set}
              options={[...SCOPE_SETS.map(optionOf), { value: ONE_BY_ONE, label: "chosen one by one" }]}
              onPick={setSet}
            />
          </div>
          <div>
            <span className="note">Expires</span>
            <Pick
              label="Expires"
              value={days}
              options={[
                ...LIVES.map((days) => ({ value: days, label: `in ${days} days` })),
                { value: "", label: "never" },
              ]}
              onPick={setDays}
            />
          </div>
          <button type="submit" className="button" disabled={make.isPending || full || scopes.length === 0}>
            Create key
          </button>
        </div>
        {set === ONE_BY_ONE && <ScopeTicks picked={picked} onPick={setPicked} />}
        <label>
          <span className="note">Only for these agents</span>
          <input
            className="field"
            placeholder="all; else their ids, with a comma between"
            value={agents}
            onChange={(event) => setAgents(event.target.value)}
          />
        </label>
        {full && <p className="note">All {limit} keys are in use. Revoke one that nobody needs.</p>}
        <Refused error={make.error} />
      </form>
      {make.data !== undefined && (
        <div className="once" role="status">
          <p className="small">
            <b className="wrap">
              <bdi>{make.data.name}</bdi>
            </b>{" "}
            was created. This is the only time that the key is shown.
          </p>
          <code>{make.data.api_key}</code>
          <p className="choices">
            <CopyButton text={make.data.api_key} what="the key" />
            <button type="button" className="plain" onClick={() => make.reset()}>
              I have it
            </button>
          </p>
        </div>
      )}
    </>
  );
}

function optionOf({ name, scopes }: (typeof SCOPE_SETS)[number]): { value: string; label: string } {
  return { value: name, label: scopes.length > 2 ? name : `${name} (${scopes.join(", ")})` };
}

interface ScopeTicksProps {
  picked: readonly Scope[];
  onPick: (picked: readonly Scope[]) => void;
}

function ScopeTicks({ picked, onPick }: ScopeTicksProps): ReactNode {
  return (
    <fieldset>
      <legend>Each of</legend>
      <div className="ticks">
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={picked.includes(scope)}
              onChange={({ target }) =>
                onPick(target.checked ? [...picked, scope] : picked.filter((other) => other !== scope))
              }
            />
            {scope}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
