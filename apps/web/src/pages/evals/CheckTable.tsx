import type { Behavior, EvalCheck, EvalHealth } from "@while/platform-client/contract";
import { Fragment, type ReactNode, useState } from "react";
import { CheckMark, stateOf } from "../../parts/CheckMark.tsx";
import { Code } from "../../parts/Code.tsx";
import { checkId } from "./check-id.ts";
import { openWord } from "./check-words.ts";

/** The eight checks of one behavior; what fails says why, what to do, and by which call. */
export function CheckTable({ health, behavior }: { health: EvalHealth; behavior: Behavior | undefined }): ReactNode {
  return (
    <table className="evalchecks">
      <caption className="sr">Checks of {health.name}</caption>
      <thead className="sr">
        <tr>
          <th scope="col">holds</th>
          <th scope="col">check</th>
          <th scope="col">found</th>
        </tr>
      </thead>
      <tbody>
        {health.checks.map((check) => (
          <Fragment key={check.key}>
            <tr id={checkId(health.name, check.key)} className={check.ok === false ? "fails" : undefined}>
              <td>
                <CheckMark state={stateOf(check.ok)} />
              </td>
              <th scope="row">{check.label}</th>
              <td>
                <Found check={check} behavior={behavior} />
              </td>
            </tr>
            {check.ok === false && (
              <tr className="fix">
                <td />
                <td colSpan={2}>
                  {sentence(check.why)} {sentence(check.action)} <span className="quiet">{check.cite}</span>
                  <Code code={check.fix} what={`the call for ${check.label}`} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Found({ check, behavior }: { check: EvalCheck; behavior: Behavior | undefined }): ReactNode {
  const open = openWord(check, behavior);
  return open === null ? <bdi>{check.value}</bdi> : <span className="none">{open}</span>;
}

/** What each check asks of a test, passing or not, and where that comes from. */
export function CheckSources({ health }: { health: EvalHealth }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <details className="sources" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Rule, source and call of each check</summary>
      {open && (
        <dl className="defs">
          {health.checks.map(({ key, label, rule, why, action, cite, fix }) => (
            <div key={key} className="pair">
              <dt>{label}</dt>
              <dd>
                holds when {rule}; {why}
                <span className="sub">
                  {sentence(action)} {cite}
                </span>
                <code>{fix}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
