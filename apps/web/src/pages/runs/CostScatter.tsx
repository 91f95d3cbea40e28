import type { PriceBook } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { Bar } from "../../marks/Bar.tsx";
import { Chart } from "../../marks/Chart.tsx";
import { fitName } from "../../marks/fit-name.ts";
import { roleOf } from "../../marks/role.ts";
import { domainOf, roundTicks, scaleOf } from "../../marks/scale.ts";
import { spreadLabels } from "../../marks/spread-labels.ts";
import { dollars, half, number, points as shown } from "../../numbers.ts";
import styles from "./CostScatter.module.css";
import type { Priced } from "./priced.ts";
import type { Report } from "./report.ts";
import { endsOf, fitting } from "./score-groups.ts";

export interface CostScatterProps {
  report: Report;
  priced: readonly Priced[];
  book: PriceBook | null;
}

/** Dots up to which each has its name; of more the served version and the candidate have theirs, and all the table. */
const LABELLED = 12;
/** Versions that can be told apart. */
const DRAWN = 24;

interface Dot {
  name: string;
  cost: number;
  score: number;
  half: number | null;
  agentSays: boolean;
}

/** Score against what 1,000 tasks cost. What only the agent says of its cost is hollow; the frontier is a diamond. */
export function CostScatter({ report, priced, book }: CostScatterProps): ReactNode {
  const drawn = new Set(
    fitting(
      priced.map(({ point }) => point),
      DRAWN,
      [report.serving, report.candidate],
    ),
  );
  const dots = priced.flatMap(({ point, price }): Dot[] =>
    price.usdPer1k === null || !drawn.has(point)
      ? []
      : [
          {
            ...{ name: point.version, cost: price.usdPer1k, score: point.score, half: point.half },
            agentSays: price.source === "agent",
          },
        ],
  );
  const { frontier } = report.agent;
  const top =
    frontier?.score == null || frontier.costPer1k == null
      ? null
      : { name: frontier.name, score: frontier.score, cost: frontier.costPer1k };
  if (dots.length === 0) {
    return (
      <p className="small">
        <span className="none">No version can be priced.</span> Post model and tokens, or GPU and hours, with the number
        of replies in <code>record.eval</code>; the price book {book?.version} does the rest.
      </p>
    );
  }
  const label = `Score against USD per 1,000 tasks: ${dots.map(({ name, score, cost }) => `${name} ${shown(score)} at ${dollars(cost)}`).join(", ")}${
    top === null ? "" : `; the frontier ${top.name} ${shown(top.score)} at ${dollars(top.cost)}`
  }.`;
  return (
    <Chart
      label={label}
      height={270}
      caption={captionOf(dots, priced.length - drawn.size)}
      points={(width, height) => {
        const { x, y } = planeOf(dots, top, width, height);
        return dots
          .toSorted((a, b) => a.cost - b.cost)
          .map(({ name, cost, score, half: width }) => ({
            ...{ x: x(cost), y: y(score) },
            says: `${name}: ${shown(score)}${width === null ? "" : ` ${half(width)}`} at ${dollars(cost)}`,
          }));
      }}
      table={<PriceTable priced={priced} />}
    >
      {(width, height) => <Drawing {...{ dots, top, report, width, height }} />}
    </Chart>
  );
}

function captionOf(dots: readonly Dot[], left: number): string | undefined {
  const says = [
    ...(dots.some(({ agentSays }) => agentSays)
      ? ["A hollow mark: the agent reported its cost, and the price book did not price it."]
      : []),
    ...(left > 0 ? [`The newest versions are drawn; ${left} more are in the table.`] : []),
  ];
  return says.length === 0 ? undefined : says.join(" ");
}

interface DrawingProps {
  dots: readonly Dot[];
  top: { name: string; score: number; cost: number } | null;
  report: Report;
  width: number;
  height: number;
}

function planeOf(dots: readonly Dot[], top: DrawingProps["top"], width: number, height: number) {
  const area = { left: 34, right: width - 12, top: 10, bottom: height - 40 };
  const costs = [...dots.map(({ cost }) => cost), ...(top === null ? [] : [top.cost])];
  const x = scaleOf([0, Math.max(...costs) * 1.08], [area.left, area.right]);
  const reach = dots.flatMap((dot) => endsOf(dot) ?? [dot.score]);
  return {
    ...{ area, x },
    y: scaleOf(domainOf(reach, { including: top === null ? [] : [top.score] }), [area.bottom, area.top]),
  };
}

function Drawing({ dots, top, report, width, height }: DrawingProps): ReactNode {
  const { area, x, y } = planeOf(dots, top, width, height);
  // Labels stand left or right of their dot, whichever has room, and below each other where dots crowd.
  const places = spreadLabels(
    dots.map(({ score }) => y(score) + 5),
    { apart: 15, low: area.top + 8, high: area.bottom },
  );
  return (
    <>
      {roundTicks(y.domain, 4).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={area.left} x2={area.right} y1={y(tick)} y2={y(tick)} />
          <text className="end" x={area.left - 6} y={y(tick) + 4.5}>
            {number(tick)}
          </text>
        </g>
      ))}
      <line className="axis" x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} />
      {roundTicks(x.domain, width < 400 ? 3 : 5).map((tick) => (
        <text key={tick} className={tick === 0 ? undefined : "mid"} x={x(tick)} y={area.bottom + 18}>
          ${number(tick)}
        </text>
      ))}
      <text x={area.left} y={area.bottom + 36}>
        USD per 1,000 tasks
      </text>
      {dots.map(({ name, cost, score, agentSays, ...dot }, place) => {
        const ends = endsOf({ score, half: dot.half });
        const role = roleOf(name, report.serving, report.candidate);
        const crowded = dots.length <= LABELLED && Math.abs(places[place]! - y(score) - 5) > 4;
        return (
          <g key={name} className={`c-${role}`}>
            <Bar
              role={role}
              open={agentSays}
              upright
              value={y(score)}
              low={ends === null ? null : y(ends[0])}
              high={ends === null ? null : y(ends[1])}
              across={x(cost)}
              half={4}
            />
            {crowded && (
              <line className="lead-line" x1={x(cost) + 5} x2={x(cost) + 20} y1={y(score)} y2={places[place]! - 4} />
            )}
            {(dots.length <= LABELLED || role !== "rest") && (
              <text
                className={`halo t-ink${role === "rest" ? "" : " t-b"}`}
                x={x(cost) + (crowded ? 23 : 9)}
                y={crowded ? places[place] : y(score) + 5}
              >
                {fitName(name, 14)}
                {role === "accent" ? `, ${dollars(cost)}` : ""}
              </text>
            )}
          </g>
        );
      })}
      {top !== null && (
        <>
          <path className={styles.diamond} d={`M${x(top.cost)} ${y(top.score) - 6}l6 6-6 6-6-6z`} />
          <text className="end t-ink halo" x={x(top.cost) - 10} y={y(top.score) + 5}>
            {fitName(top.name, 18)}, {dollars(top.cost)}
          </text>
        </>
      )}
    </>
  );
}

function PriceTable({ priced }: { priced: readonly Priced[] }): ReactNode {
  return (
    <table>
      <caption className="sr">Score and answering cost by version</caption>
      <thead>
        <tr>
          <th scope="col">version</th>
          <th scope="col" className="num">
            score
          </th>
          <th scope="col" className="num">
            USD per 1,000
          </th>
          <th scope="col">source</th>
        </tr>
      </thead>
      <tbody>
        {priced.map(({ point, price }) => (
          <tr key={point.version}>
            <th scope="row">
              <bdi>{point.version}</bdi>
            </th>
            <td className="num">{shown(point.score)}</td>
            <td className="num">
              {price.usdPer1k === null ? <span className="none">not priced</span> : dollars(price.usdPer1k)}
              {price.cachedUsdPer1k !== null && <span className="sub">{dollars(price.cachedUsdPer1k)} if cached</span>}
            </td>
            <td className="note">
              <bdi>{price.basis}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
