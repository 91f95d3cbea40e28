import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { Strip } from "../../marks/Strip.tsx";
import { StripAxis } from "../../marks/StripAxis.tsx";
import { domainOf } from "../../marks/scale.ts";
import { change, half, points } from "../../numbers.ts";
import { Part } from "../../parts/Part.tsx";
import styles from "./MovedPart.module.css";
import { chanceOf, type Moved, movedOf, movedOfDeltas } from "./moved.ts";
import { type Report, runOfVersion } from "./report.ts";

/** Every behavior that both versions were scored on, so that a drop beside the target is seen. */
export const MovedPart = memo(function MovedPart({ report }: { report: Report }): ReactNode {
  const { candidate, serving, scores, dashboard, behaviors, behavior, verdict } = report;
  const run = candidate === null ? undefined : runOfVersion(report, { v: candidate });
  const moved =
    scores === null
      ? movedOfDeltas(candidate === dashboard.agent.candidate ? dashboard.deltas : [], behaviors)
      : movedOf({ scores, behaviors, candidate, serving, targets: run?.targets ?? [] });
  const clear = verdict.regressionsClear.filter((name) => name !== behavior?.name);
  return (
    <Part
      id="moved"
      title="What moved"
      note={
        <>
          <p>
            Every behavior both versions were scored on: targets first, then drops. Points, 95% interval, grey re-run
            band.
          </p>
          <p>{chanceOf(moved, behavior?.name ?? null)}</p>
        </>
      }
    >
      {moved.length === 0 ? (
        <p className="small none">
          {serving === null
            ? "No version serves yet, so nothing moved against it."
            : candidate === null || candidate === serving
              ? `Nothing is scored beside ${serving}.`
              : `No behavior has a score of both ${candidate} and ${serving}.`}
        </p>
      ) : (
        <>
          <MovedTable moved={moved} report={report} run={run?.id ?? null} />
          <p className="note">
            {clear.length > 0 &&
              `${clear.length === 1 ? "The drop in" : "The drops in"} ${clear.join(", ")} also ${
                clear.length === 1 ? "holds" : "hold"
              } after Holm over the ${verdict.compared} others. `}
            A hollow mark is not a claim: its interval includes zero, or it is inside the band.
            {moved.length === 1 &&
              " A change on one behavior says nothing about the others: score both versions on a second one."}
          </p>
        </>
      )}
    </Part>
  );
});

function MovedTable({
  moved,
  report: { serving, candidate },
  run,
}: {
  moved: readonly Moved[];
  report: Report;
  run: string | null;
}): ReactNode {
  const reach = moved.flatMap(({ delta, halfWidth, floor }) =>
    delta === null ? [] : [delta - (halfWidth ?? 0), delta + (halfWidth ?? 0), floor ?? 0, -(floor ?? 0)],
  );
  const domain = domainOf(reach, { including: [0] });
  return (
    <table className={styles.moved}>
      <caption className="sr">
        {candidate} against {serving} on every behavior
      </caption>
      <thead>
        <tr>
          <th scope="col">behavior</th>
          <th scope="col" className="num wide-only">
            <bdi>{serving}</bdi>
          </th>
          <th scope="col" className="num wide-only">
            <bdi>{candidate}</bdi>
          </th>
          <th scope="col" className={styles.plot}>
            <span className="sr">change</span>
            <StripAxis domain={domain} />
          </th>
          <th scope="col" className="num">
            <bdi>{candidate}</bdi> − <bdi>{serving}</bdi>
          </th>
          <th scope="col">reading</th>
        </tr>
      </thead>
      <tbody>
        {moved.map((row) => (
          <tr key={row.name}>
            <th scope="row">
              {run === null ? (
                row.name
              ) : (
                <Link to="/platform/runs/$run/rows" params={{ run }} search={{ behavior: row.name } as never}>
                  {row.name}
                </Link>
              )}
              {row.target && <span className="sub">target</span>}
            </th>
            <td className="num wide-only">{row.serving === null ? "" : points(row.serving)}</td>
            <td className="num wide-only">{row.candidate === null ? "" : points(row.candidate)}</td>
            <td className={styles.plot}>
              <Strip
                label={stripLabel(row)}
                domain={domain}
                band={row.floor === null || row.delta === null ? null : [-row.floor, row.floor]}
                readings={
                  row.delta === null
                    ? []
                    : [
                        {
                          ...{ value: row.delta, role: row.role, open: row.open },
                          low: row.halfWidth === null ? null : row.delta - row.halfWidth,
                          high: row.halfWidth === null ? null : row.delta + row.halfWidth,
                        },
                      ]
                }
              />
            </td>
            <td className="num">
              {row.delta === null ? (
                <span className="none">not comparable</span>
              ) : (
                <>
                  <b>{change(row.delta)}</b> {row.halfWidth === null ? null : half(row.halfWidth)}
                </>
              )}
            </td>
            <td className={styles.read}>
              {row.word !== null && (
                <>
                  <span className={row.role}>{row.word}</span>,{" "}
                </>
              )}
              {row.says}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function stripLabel({ name, delta, halfWidth, says }: Moved): string {
  if (delta === null) return `${name}: ${says}`;
  return `${name}: ${change(delta)}${halfWidth === null ? ", no interval" : ` plus or minus ${points(halfWidth)}`}`;
}
