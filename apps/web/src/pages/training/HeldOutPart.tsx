import type { ReactNode } from "react";
import { Strip } from "../../marks/Strip.tsx";
import { change, counted, half, number, points } from "../../numbers.ts";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import type { HeldOut, HeldOutSide, HeldOutWord } from "./held-out.ts";

const CALL = `const report = await run.delta(beforeRows, afterRows);   // graded rollouts of the held-out tasks
await run.finish();`;

/** What the run did to tasks that it was not trained on. */
export function HeldOutPart({ held, running }: { held: HeldOut | null; running: boolean }): ReactNode {
  return (
    <Part
      id="held"
      title="Held out"
      note="Before and after on tasks that it was not trained on, posted by the trainer. This is the number that decides."
    >
      {held === null ? (
        <>
          <p className="none">
            {running ? "Not measured: the run goes on." : "Not measured: no held-out result was posted."}
          </p>
          {!running && <Code code={CALL} />}
        </>
      ) : (
        <div className="before">
          <dl>
            <Side name="Before" side={held.before} metric={held.metric} running={running} />
            <Side name="After" side={held.after} metric={held.metric} running={running} />
          </dl>
          <div className="small">
            <Change held={held} />
            {held.note !== null && (
              <p className="quiet wrap">
                <bdi>{held.note}</bdi>
              </p>
            )}
          </div>
        </div>
      )}
    </Part>
  );
}

interface SideProps {
  name: string;
  side: HeldOutSide | null;
  metric: HeldOut["metric"];
  running: boolean;
}

function Side({ name, side, metric, running }: SideProps): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      {side === null ? (
        <dd className="none">{running ? "not measured, the run goes on" : "not measured"}</dd>
      ) : (
        <dd>
          {metric === "loss" ? number(side.value) : points(side.value)}
          <span className="sub">
            {side.low === null || side.high === null ? "no interval" : `${points(side.low)} to ${points(side.high)}`}
          </span>
          {side.tasks !== null && (
            <span className="sub">
              {counted(side.tasks, "task")}
              {side.k !== null && `, ${counted(side.k, "rollout")} each`}
            </span>
          )}
        </dd>
      )}
    </div>
  );
}

/** The role and the look of a change, by the word for it. */
export function lookOf(word: HeldOutWord): { role: "good" | "bad" | "rest"; open: boolean } {
  if (word === "Better") return { role: "good", open: false };
  return word === "Worse" ? { role: "bad", open: false } : { role: "rest", open: true };
}

/** `+5.0 ± 4.5`, or the ends where the interval does not lie evenly. */
export function changeWords({ value, low, high }: NonNullable<HeldOut["change"]>): string {
  if (low === null || high === null) return change(value);
  const [below, above] = [value - low, high - value];
  return Math.abs(below - above) < 0.1
    ? `${change(value)} ${half((below + above) / 2)}`
    : `${change(value)} (${change(low)} to ${change(high)})`;
}

function Change({ held: { change: moved, word, metric } }: { held: HeldOut }): ReactNode {
  if (moved === null) return <p className="none">One side is not there, so nothing can be compared.</p>;
  if (metric === "loss") {
    return (
      <p>
        {number(moved.value)}.{" "}
        <span className="quiet">Two losses without an interval: how much a re-run moves them is not known.</span>
      </p>
    );
  }
  const look = lookOf(word);
  const widest = Math.max(5, Math.abs(moved.low ?? moved.value), Math.abs(moved.high ?? moved.value)) * 1.1;
  return (
    <>
      <Strip
        label={`Change ${changeWords(moved)} points: ${word}`}
        domain={[-widest, widest]}
        readings={[{ ...moved, ...look }]}
      />
      <p>
        <b className={look.role === "rest" ? undefined : look.role}>{word}</b>: {changeWords(moved)} points
        {word === "No interval" && ". Two numbers alone are no result: post the rollouts of both sides"}.
      </p>
    </>
  );
}
