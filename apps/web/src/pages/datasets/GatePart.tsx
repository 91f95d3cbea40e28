import type { ReactNode } from "react";
import { percent, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import styles from "./GatePart.module.css";
import type { GateFact } from "./gate-facts.ts";
import type { GateReading } from "./gate-reading.ts";

export interface GatePartProps {
  gate: GateReading;
  /** All that it counted, minded or not. */
  facts: readonly GateFact[];
}

/** What the publish gate says of the set, each warning with what to run against it, and all that it counted. */
export function GatePart({ gate, facts }: GatePartProps): ReactNode {
  return (
    <Part
      id="gate"
      title="Gate report"
      note={
        <>
          <p>
            What a push through the gate checks, made here for every set. Warnings do not stop a push; a refusal does.
          </p>
          {gate.shape !== null && <p>{gate.shape}</p>}
        </>
      }
    >
      <p className="says">
        <Verdict gate={gate} />
      </p>
      {gate.passAt1 !== null && (
        <p className="small quiet">
          pass@1 {percent(gate.passAt1.rate)}
          {gate.passAt1.low !== null && gate.passAt1.high !== null
            ? `, ${percent(gate.passAt1.low)} to ${percent(gate.passAt1.high)} by resampling ${whole(gate.passAt1.tasks)} tasks`
            : ", no interval: too few tasks"}
        </p>
      )}
      {gate.notes.length > 0 && (
        <ul className="gate">
          {gate.notes.map(({ state, text, call }, i) => (
            <li key={text}>
              <CheckMark state={state} />
              <div className="wrap">
                <bdi>{text}</bdi>
              </div>
              {call !== null &&
                (gate.notes.findIndex((note) => note.call === call) < i ? (
                  <p className="note">the call above does this too</p>
                ) : (
                  <Code code={call} />
                ))}
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && (
        <>
          <h3 className={styles.counted}>What it counted</h3>
          <dl className="defs">
            {facts.map((fact) => (
              <div key={fact.name} className="pair">
                <dt>{fact.name}</dt>
                <dd className="wrap">
                  <bdi>{fact.says}</bdi>
                  <Alike examples={fact.examples} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Part>
  );
}

/** Prompts that are nearly the same, as they stand in the set. */
function Alike({ examples }: { examples: GateFact["examples"] }): ReactNode {
  if (examples.length === 0) return null;
  return (
    <details>
      <summary>{examples.length === 1 ? "One pair" : `${whole(examples.length)} of the pairs`}</summary>
      <ul className="small untrusted">
        {examples.map(({ a, b, alike }) => (
          <li key={`${a}\n${b}`}>
            “<bdi>{a}</bdi>” and “<bdi>{b}</bdi>”, {percent(alike)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Verdict({ gate: { state, because, warnings } }: { gate: GateReading }): ReactNode {
  if (state === "not run") return because;
  if (state === "refused") {
    return (
      <>
        <b className="bad">Refused.</b> <bdi className="wrap">{because ?? "No reason was given."}</bdi>
      </>
    );
  }
  return (
    <>
      <b className="good">Accepted</b>
      {warnings === 0
        ? ", without a warning."
        : `, with ${whole(warnings)} ${warnings === 1 ? "warning" : "warnings"}.`}
    </>
  );
}
