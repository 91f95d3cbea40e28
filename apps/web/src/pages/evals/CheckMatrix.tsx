import { type Behavior, EVAL_CHECKS, type EvalCheck, type EvalHealth } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { points, whole } from "../../numbers.ts";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { CheckMark, stateOf } from "../../parts/CheckMark.tsx";
import { Part } from "../../parts/Part.tsx";
import { openWord, resolvesOf, shortValue } from "./check-words.ts";
import { evalId } from "./EvalPart.tsx";
import type { VersionScores } from "./use-version-scores.ts";

export interface CheckMatrixProps {
  evals: readonly EvalHealth[];
  behaviors: readonly Behavior[] | undefined;
  scores: VersionScores | undefined;
  /** Which of the behaviors are shown; false where there is nothing to choose. */
  choice: ReactNode;
}

/** All behaviors against all checks: a row each, and under 52rem a list of what fails. */
export function CheckMatrix({ evals, behaviors, scores, choice }: CheckMatrixProps): ReactNode {
  const labels = evals[0]!.checks.map(({ key, label }) => ({ key, label }));
  return (
    <Part
      id="all-behaviors"
      title="All behaviors"
      full
      note={
        <>
          <p>
            Eight checks on the instrument, before anything is read from it. A dash: cannot be measured yet, and is not
            counted.
          </p>
          {choice}
        </>
      }
    >
      <table className="matrix">
        <caption className="sr">Checks of all behaviors</caption>
        <thead>
          <tr>
            <th scope="col">behavior</th>
            {labels.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
            <th scope="col" className="num roomy">
              versions
            </th>
            <th scope="col" className="num">
              resolves
            </th>
            <th scope="col" className="num">
              newest
            </th>
          </tr>
        </thead>
        <tbody>
          {evals.map((health) => (
            <MatrixRow
              key={health.name}
              health={health}
              behavior={behaviors?.find(({ name }) => name === health.name)}
              versions={scores?.get(health.name)}
            />
          ))}
        </tbody>
      </table>
      <ul className="mlist">
        {evals.map((health) => (
          <li key={health.name}>
            <a href={`#${evalId(health.name)}`} data-eval>
              <BreakableName name={health.name} />
            </a>
            <Standing health={health} />
            {health.good < health.total && (
              <span className="fl">
                {health.checks
                  .filter(({ ok }) => ok === false)
                  .map((check) => (
                    <span key={check.key}>
                      <CheckMark state="failing" /> {check.label}, <bdi>{shortValue(check)}</bdi>
                    </span>
                  ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface MatrixRowProps {
  health: EvalHealth;
  behavior: Behavior | undefined;
  versions: ReturnType<VersionScores["get"]>;
}

function MatrixRow({ health, behavior, versions = [] }: MatrixRowProps): ReactNode {
  const resolves = resolvesOf(health.checks);
  const newest = versions.at(-1);
  const byKey = new Map(health.checks.map((check) => [check.key, check]));
  return (
    <tr>
      <th scope="row">
        <a href={`#${evalId(health.name)}`} data-eval>
          <BreakableName name={health.name} />
        </a>
        <span className="sub">
          <Standing health={health} />
        </span>
      </th>
      {EVAL_CHECKS.map((key) => (
        <td key={key}>
          <Cell check={byKey.get(key)!} behavior={behavior} to={evalId(health.name)} />
        </td>
      ))}
      <td className="num roomy">{whole(versions.length)}</td>
      <td className="num">{resolves === null ? <span className="none">no interval</span> : `${resolves} pts`}</td>
      <td className="num">
        {newest === undefined ? (
          <span className="none">not scored</span>
        ) : (
          <>
            <bdi className="vname">{newest.v}</bdi> <b>{points(newest.score)}</b>
          </>
        )}
      </td>
    </tr>
  );
}

/** The shape, and what it found: beside it where it fails, else for who listens. */
function Cell({ check, behavior, to }: { check: EvalCheck; behavior: Behavior | undefined; to: string }): ReactNode {
  const value = openWord(check, behavior) ?? check.value;
  if (check.ok === false) {
    return (
      <>
        <CheckMark state="failing" />{" "}
        <a className="why" href={`#${to}`} title={check.value}>
          <bdi>{shortValue(check)}</bdi>
        </a>
      </>
    );
  }
  return (
    <span title={value}>
      <CheckMark state={stateOf(check.ok)} />
      <span className="sr">
        : <bdi>{value}</bdi>
      </span>
    </span>
  );
}

function Standing({ health: { good, total } }: { health: EvalHealth }): ReactNode {
  return (
    <span className="st">
      {good === total ? "good" : <span className="bad">weak</span>}, {good} of {total}
    </span>
  );
}
