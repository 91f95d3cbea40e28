import { Link } from "@tanstack/react-router";
import type { Dataset, RunRow } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { bytes, date, percent, whole } from "../../numbers.ts";
import { BreakableName } from "../../parts/BreakableName.tsx";
import type { FamilyLine } from "./family.ts";

/** Lines under a head of their own. */
interface SetGroup {
  head: string;
  lines: readonly FamilyLine<Dataset>[];
}

export interface FamilyTableProps {
  /** Families as a tree; or groups, in which each line stands for itself and names its parent. */
  lines: readonly FamilyLine<Dataset>[] | readonly SetGroup[];
  /** The newest run on each set. */
  training: ReadonlyMap<string, RunRow>;
  /** The set whose page this is. */
  here?: string;
}

function isGroup(line: FamilyLine<Dataset> | SetGroup): line is SetGroup {
  return "head" in line;
}

/** Columns where the head of a group says the purpose. */
const COLUMNS = 10;

/** Sets as a tree, with what decides about each: how much passes, where there is contrast, what the gate minds. */
export function FamilyTable({ lines, training, here }: FamilyTableProps): ReactNode {
  const grouped = lines.length > 0 && lines.every(isGroup);
  const groups = grouped ? lines : [{ head: "", lines: lines as FamilyLine<Dataset>[] }];
  return (
    <table className="tree">
      <thead>
        <tr>
          <th scope="col">name</th>
          {!grouped && (
            <th scope="col" className="slim-off">
              purpose
            </th>
          )}
          <th scope="col" className="wide-only roomy">
            mode
          </th>
          <th scope="col" className="num slim-off">
            rows
          </th>
          <th scope="col" className="num wide-only">
            tasks
          </th>
          <th scope="col" className="num">
            passed
          </th>
          <th scope="col" className="num wide-only">
            mixed
          </th>
          <th scope="col" className="num wide-only">
            gate
          </th>
          <th scope="col" className="num wide-only roomy">
            size
          </th>
          <th scope="col" className="num wide-only">
            created
          </th>
          <th scope="col" className="wide-only roomy">
            training
          </th>
        </tr>
      </thead>
      {groups.map(({ head, lines }) => (
        <tbody key={head}>
          {head !== "" && (
            <tr className="group">
              <th scope="rowgroup" colSpan={COLUMNS}>
                {head}
              </th>
            </tr>
          )}
          {lines.map((line) => (
            <SetRow
              key={line.set.datasetId}
              line={line}
              run={training.get(line.set.datasetId)}
              isHere={line.set.datasetId === here}
              flat={head !== ""}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface SetRowProps {
  line: FamilyLine<Dataset>;
  run: RunRow | undefined;
  isHere: boolean;
  flat: boolean;
}

function SetRow({ line, run, isHere, flat }: SetRowProps): ReactNode {
  const { set, orphan } = line;
  const graded = set.passRate !== null && set.passRate !== undefined;
  return (
    <tr className={isHere ? "here" : undefined} aria-current={isHere ? "true" : undefined}>
      <th scope="row" className="wrap">
        <Branch line={line}>
          <Link to="/platform/datasets/$dataset" params={{ dataset: set.datasetId } as never}>
            <BreakableName name={set.name} />
          </Link>
          {set.status !== "ready" && <span className="sub bad">{set.status}</span>}
          {orphan && !flat && <span className="sub">made from a set that is not listed</span>}
          {flat && set.sealed && <span className="sub">sealed</span>}
          {flat && set.parentDatasetId !== null && (
            <span className="sub">
              from{" "}
              <Link to="/platform/datasets/$dataset" params={{ dataset: set.parentDatasetId } as never}>
                {line.parent ?? set.parentDatasetId}
              </Link>
            </span>
          )}
        </Branch>
      </th>
      {!flat && (
        <td className="slim-off">
          {set.purpose}
          {set.sealed && <span className="sub">sealed</span>}
        </td>
      )}
      <td className="wide-only roomy">{set.mode ?? <Dash />}</td>
      <td className="num slim-off">{set.rows === null ? <span className="none">not read</span> : whole(set.rows)}</td>
      <td className="num wide-only">{set.tasks === null ? <Dash /> : whole(set.tasks)}</td>
      <td className="num">
        {graded ? percent(set.passRate!) : set.passRate === null ? <span className="none">ungraded</span> : <Dash />}
      </td>
      <td className="num wide-only">{set.mixedTasks == null || !graded ? <Dash /> : whole(set.mixedTasks)}</td>
      <td className="num wide-only">
        <GateCell set={set} />
      </td>
      <td className="num wide-only roomy">{bytes(set.sizeBytes)}</td>
      <td className="num wide-only">{date(set.createdAt)}</td>
      <td className="wide-only roomy">{run === undefined ? <Dash /> : <TrainingCell run={run} />}</td>
    </tr>
  );
}

/** What the gate is at, where it has not said anything. */
const GATE_WORDS = { pending: "reading", too_large: "too large", failed: "failed", done: "not run" } as const;

function GateCell({ set: { warnings, gateState, datasetId } }: { set: Dataset }): ReactNode {
  if (warnings == null) return <span className="none">{gateState == null ? "not run" : GATE_WORDS[gateState]}</span>;
  if (warnings === 0) return <span className="quiet">clean</span>;
  return (
    <Link to="/platform/datasets/$dataset" params={{ dataset: datasetId } as never} hash="gate">
      {whole(warnings)} {warnings === 1 ? "warning" : "warnings"}
    </Link>
  );
}

function TrainingCell({ run }: { run: RunRow }): ReactNode {
  const { id, status, steps, totalSteps } = run;
  const how = run.method ?? String(run.config?.method ?? "run");
  const at =
    status === "running" && steps != null
      ? `step ${whole(steps)}${totalSteps == null ? "" : ` of ${whole(totalSteps)}`}`
      : status;
  return (
    <Link to="/platform/training/$run" params={{ run: id } as never}>
      <bdi>{how.toLowerCase()}</bdi>, {at}
    </Link>
  );
}

function Dash(): ReactNode {
  return <span className="faint">–</span>;
}

/** Width of a generation in the drawing, pixels; deep families are drawn closer. */
const GENERATION = 18;
const DEEPEST = 126;

/** A name behind the lines that lead to it from its ancestors. */
function Branch({
  line: { rails, last, root },
  children,
}: {
  line: FamilyLine<Dataset>;
  children: ReactNode;
}): ReactNode {
  if (root) return children;
  const step = Math.min(GENERATION, DEEPEST / (rails.length + 1));
  return (
    <span className="branch" style={{ paddingLeft: step * (rails.length + 1) + 4 }}>
      <span aria-hidden="true">
        {rails.map((through, generation) =>
          through ? <i key={generation} className="rail" style={{ left: step * generation + 6 }} /> : null,
        )}
        <i className={last ? "rail last" : "rail"} style={{ left: step * rails.length + 6 }} />
        <i className="elbow" style={{ left: step * rails.length + 6, width: step - 6 }} />
      </span>
      {children}
    </span>
  );
}
