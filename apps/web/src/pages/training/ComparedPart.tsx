import { Link } from "@tanstack/react-router";
import { listRuns, type RunRow } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { counted, dollars, duration, number, points, whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { FoldedText } from "../../parts/FoldedText.tsx";
import { Part } from "../../parts/Part.tsx";
import { ViewLink } from "../../parts/ViewLink.tsx";
import { numberIn, textIn } from "../../wire-values.ts";
import styles from "./ComparedPart.module.css";
import { type ComparedSetting, compareSettings } from "./compared-runs.ts";
import { changeWords, lookOf } from "./HeldOutPart.tsx";
import { heldOut } from "./held-out.ts";
import { nameOf } from "./run-name.ts";

export interface ComparedPartProps {
  /** Two to `COMPARED_MAX` of them. */
  ids: readonly string[];
}

/** Runs beside each other: what came of them first, then the settings that are not the same. */
export function ComparedPart({ ids }: ComparedPartProps): ReactNode {
  const answer = useAnswer(listRuns, { query: { ids: [...ids], limit: ids.length } });
  return (
    <Part
      id="compared"
      title="Side by side"
      full
      note={
        <span className="choices">
          <span>What came of each, then the settings that differ.</span>
          <ViewLink search={(before) => ({ ...before, x: undefined })}>Unmark all {ids.length}</ViewLink>
        </span>
      }
    >
      <Answered of={answer} what="the marked runs">
        {({ runs }) => <Compared runs={ids.flatMap((id) => runs.find((run) => run.id === id) ?? [])} />}
      </Answered>
    </Part>
  );
}

function Compared({ runs }: { runs: readonly RunRow[] }): ReactNode {
  const { apart, alike } = compareSettings(runs);
  return (
    <>
      <table className={styles.compared}>
        <caption className="sr">The marked runs side by side</caption>
        <thead>
          <tr>
            <td />
            {runs.map((run) => (
              <th key={run.id} scope="col">
                <Link to="/platform/training/$run" params={{ run: run.id } as never}>
                  <BreakableName name={nameOf(run)} />
                </Link>
                <span className="sub">{run.id}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Line name="held out" runs={runs} cell={(run) => <HeldOutCell run={run} />} />
          <Line name="status" runs={runs} cell={(run) => <bdi>{run.status}</bdi>} />
          <Line name="steps" runs={runs} cell={stepsOf} />
          <Line name="time" runs={runs} cell={timeOf} />
          <Line name="GPU" runs={runs} cell={(run) => textIn(run.summary ?? {}, "gpu") ?? run.gpu ?? null} />
          <Line name="cost, as reported" runs={runs} cell={costOf} />
          <Line name="base" runs={runs} cell={(run) => run.base ?? run.baseModel ?? null} />
          {apart.map((setting) => (
            <SettingLine key={setting.name} setting={setting} />
          ))}
        </tbody>
      </table>
      <p className="note">
        {alike === 0
          ? "No other setting is on all of them."
          : `${counted(alike, "more setting is", "more settings are")} the same on all of them.`}
      </p>
    </>
  );
}

interface LineProps {
  name: string;
  runs: readonly RunRow[];
  cell: (run: RunRow) => ReactNode;
}

function Line({ name, runs, cell }: LineProps): ReactNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      {runs.map((run) => (
        <td key={run.id} className="wrap">
          {cell(run) ?? <span className="none">not reported</span>}
        </td>
      ))}
    </tr>
  );
}

function HeldOutCell({ run }: { run: RunRow }): ReactNode {
  const held = heldOut(run.summary);
  if (held === null) return <span className="none">not measured</span>;
  const side = (value: number | undefined): string =>
    value === undefined ? "not measured" : held.metric === "loss" ? number(value) : points(value);
  const look = lookOf(held.word);
  return (
    <>
      <b className={look.role === "rest" ? undefined : look.role}>{held.word}</b>
      <span className="sub">
        {side(held.before?.value)} to {side(held.after?.value)}
        {held.change !== null && held.metric === "pass" && `, ${changeWords(held.change)}`}
      </span>
    </>
  );
}

function stepsOf({ steps, totalSteps }: RunRow): string | null {
  if (steps == null) return null;
  return totalSteps == null ? whole(steps) : `${whole(steps)} of ${whole(totalSteps)}`;
}

function timeOf(run: RunRow): string | null {
  const seconds = numberIn(run.summary ?? {}, "seconds") ?? run.seconds ?? null;
  return seconds === null ? null : duration(seconds);
}

function costOf(run: RunRow): string | null {
  const cost = run.costUsd ?? numberIn(run.summary ?? {}, "cost_usd");
  return cost === null ? null : dollars(cost);
}

function SettingLine({ setting: { name, values } }: { setting: ComparedSetting }): ReactNode {
  return (
    <tr>
      <th scope="row" className="wrap">
        <BreakableName name={name} />
      </th>
      {values.map((value, index) => (
        <td key={index} className="wrap">
          {value === null ? <span className="none">not set</span> : <FoldedText text={value} />}
        </td>
      ))}
    </tr>
  );
}
