import type { Behavior, EvalHealth, VersionScore } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { Part } from "../../parts/Part.tsx";
import { CheckSources, CheckTable } from "./CheckTable.tsx";
import { ClimbChart } from "./ClimbChart.tsx";
import { climbOf } from "./climb.ts";
import { Instrument } from "./Instrument.tsx";
import { Rubric } from "./Rubric.tsx";
import { Samples } from "./Samples.tsx";

/** Place of a behavior on the page. */
export function evalId(name: string): string {
  return `eval-${name}`;
}

export interface EvalPartProps {
  agent: string;
  health: EvalHealth;
  behavior: Behavior | undefined;
  /** By time; undefined while they are read. */
  versions: readonly VersionScore[] | undefined;
  serving: string | null | undefined;
  candidate: string | null | undefined;
  /** One of so many that those far from the window are left for later. */
  ofMany: boolean;
}

/** One behavior: its checks, the way its versions came, who judges it on what, and samples. */
export function EvalPart({ agent, health, behavior, versions, serving, candidate, ofMany }: EvalPartProps): ReactNode {
  const { name, good, total } = health;
  const failing = health.checks.filter(({ ok }) => ok === false).map(({ label }) => label);
  const climb = versions && climbOf(versions, { behavior, serving, candidate });
  const note = (
    <>
      <p className="st">
        {good === total ? (
          <>
            <b>good</b>, all {total} measured checks pass
          </>
        ) : (
          <>
            <b className="bad">weak</b>: {failing.join(", ")}
          </>
        )}
      </p>
      {behavior?.description ? (
        <p className="untrusted">
          <bdi>{behavior.description}</bdi>
        </p>
      ) : (
        <p className="none">no description posted</p>
      )}
    </>
  );
  return (
    <div className={ofMany ? "eval one-of-many" : "eval"}>
      <Part id={evalId(name)} title={<BreakableName name={name} />} note={note}>
        <div className="two">
          <div>
            <CheckTable health={health} behavior={behavior} />
            <CheckSources health={health} />
            <Rubric behavior={behavior} />
          </div>
          <div>
            {climb !== undefined && <ClimbChart name={name} climb={climb} />}
            <Instrument agent={agent} behavior={behavior} newest={versions?.at(-1) ?? null} />
          </div>
        </div>
        {versions !== undefined && versions.length > 0 && <Samples agent={agent} behavior={name} versions={versions} />}
      </Part>
    </div>
  );
}
