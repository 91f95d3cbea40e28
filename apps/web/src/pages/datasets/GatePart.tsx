import type { ReactNode } from "react";
import { percent, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import type { GateReading } from "./gate-reading.ts";

/** What the publish gate says of the set, each warning with what to run against it. */
export function GatePart({ gate }: { gate: GateReading }): ReactNode {
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
    </Part>
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
