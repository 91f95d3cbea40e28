import type { ReactNode } from "react";
import { Chart } from "../../marks/Chart.tsx";
import { scaleOf } from "../../marks/scale.ts";
import { percent, whole } from "../../numbers.ts";
import { BAND, type PassBin, type PassBins } from "./pass-bins.ts";

/** Tasks by the share of their rollouts that pass, and the band that a grouped update learns from. */
export function PassHistogram({ bins }: { bins: PassBins }): ReactNode {
  const counts = bins.bins.map(({ says, tasks }) => `${says}: ${whole(tasks)}`).join(", ");
  const [low, high] = BAND.map((edge) => `${100 * edge}`);
  const label = `Tasks by share of rollouts passed: ${counts}. ${whole(bins.inBand)} of ${whole(bins.tasks)} are in the band of ${low} to ${high} percent.`;
  return (
    <Chart
      label={label}
      height={(width) => (width < 480 ? 220 : 240)}
      caption={
        bins.k === null
          ? "Tasks have unlike numbers of graded rollouts, so they are counted by tenths."
          : `Each task has ${whole(bins.k)} graded rollouts.`
      }
      table={<BinTable bins={bins} />}
    >
      {(width, height) => <Bins bins={bins} width={width} height={height} />}
    </Chart>
  );
}

interface BinsProps {
  bins: PassBins;
  width: number;
  height: number;
}

function Bins({ bins: { bins, place, tasks, inBand }, width, height }: BinsProps): ReactNode {
  const narrow = width < 480;
  const [top, bottom] = [narrow ? 36 : 20, height - 44];
  const each = (width - 4) / bins.length;
  const most = Math.max(1, ...bins.map((bin) => bin.tasks));
  const y = scaleOf([0, most], [bottom, top + 18]);
  const [from, to] = BAND.map((rate) => 2 + each * place(rate)) as [number, number];
  const words = narrow
    ? `band 20 to 80%: ${whole(inBand)} tasks`
    : `the band a grouped update learns from, 20 to 80%: ${whole(inBand)} of ${whole(tasks)} tasks`;
  return (
    <>
      <rect className="band" x={from} y={top} width={to - from} height={bottom - top} />
      {[from, to].map((edge) => (
        <line key={edge} className="edge" x1={edge} x2={edge} y1={top} y2={bottom} />
      ))}
      <text className="mid t-ink" x={(from + to) / 2} y={top - 7}>
        {words}
      </text>
      {bins.map((bin, i) => (
        <g key={bin.label}>
          <BinBar bin={bin} x={2 + each * (i + 0.22)} width={each * 0.56} top={y(bin.tasks)} bottom={bottom} />
          <text className="mid t-ink" x={2 + each * (i + 0.5)} y={y(bin.tasks) - 6}>
            {whole(bin.tasks)}
          </text>
          {(!narrow || bins.length <= 9 || i % 2 === 0) && (
            <text className="mid" x={2 + each * (i + 0.5)} y={bottom + 18}>
              {narrow ? bin.label.replace(/–.*/, "") : bin.label}
            </text>
          )}
        </g>
      ))}
      <line className="axis" x1="2" x2={width - 2} y1={bottom} y2={bottom} />
      <text className="t-f" x="2" y={height - 8}>
        {narrow ? "none pass" : "no rollout passes: no gradient"}
      </text>
      <text className="end t-f" x={width - 2} y={height - 8}>
        {narrow ? "all pass" : "all pass: no gradient"}
      </text>
    </>
  );
}

interface BinBarProps {
  bin: PassBin;
  x: number;
  width: number;
  top: number;
  bottom: number;
}

/** Solid where a grouped update learns, hollow where every advantage is zero. */
function BinBar({ bin: { kind, tasks }, x, width, top, bottom }: BinBarProps): ReactNode {
  if (tasks === 0) return null;
  if (kind === "none" || kind === "all") {
    return <path className="hollow" d={`M${x} ${bottom}V${top}H${x + width}V${bottom}`} />;
  }
  return (
    <rect className={kind === "inside" ? "bars inside" : "bars"} x={x} y={top} width={width} height={bottom - top} />
  );
}

function BinTable({ bins: { bins, tasks } }: { bins: PassBins }): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">passed</th>
          <th scope="col" className="num">
            tasks
          </th>
          <th scope="col" className="num">
            share
          </th>
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={bin.label}>
            <th scope="row">{bin.says}</th>
            <td className="num">{whole(bin.tasks)}</td>
            <td className="num">{percent(bin.tasks / tasks)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
