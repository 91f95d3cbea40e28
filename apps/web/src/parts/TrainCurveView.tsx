import type { TrainCurve } from "@while/platform-client/contract";
import { memo, type ReactNode, useState } from "react";
import { CurveChart } from "../marks/CurveChart.tsx";
import { hackSeries } from "../marks/hack-series.ts";
import { MiniCurve } from "../marks/MiniCurve.tsx";
import { type TrainingSeries, tablePlaces, trainingSeries } from "../marks/training-series.ts";
import { number, whole } from "../numbers.ts";
import { choiceOf, type Search, textOf, textsOf } from "../search.ts";
import { type Choose, useChoices } from "../use-search.ts";
import styles from "./TrainCurveView.module.css";

/** How much of what came before a smoothed value weighs, by the word in the address. */
export const SMOOTHINGS = ["off", "0.9", "0.98"] as const;

/** A step in the address; null where none stands there. */
export function stepIn(search: Search, key: string): number | null {
  const text = textOf(search, key);
  const value = Number(text);
  return text !== undefined && text !== "" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

export interface TrainCurveViewProps {
  curve: TrainCurve;
  /** Whose curve it is. */
  name: string;
  /** Other series that are drawn small without being asked for. */
  small?: readonly string[];
  scale: "linear" | "log";
  from: number | null;
  to: number | null;
}

/** A training curve with what belongs to it: the large drawing, small ones, the stretch that is looked at, and every other series. */
export function TrainCurveView({ small = [], ...props }: TrainCurveViewProps): ReactNode {
  const [search, choose] = useChoices();
  const smooth = choiceOf(search, "smooth", SMOOTHINGS);
  return (
    <Drawn
      {...props}
      smoothing={smooth === "off" ? 0 : Number(smooth)}
      asked={textsOf(search, "series").join("\n")}
      small={small.join("\n")}
      choose={choose}
    />
  );
}

interface DrawnProps extends Omit<TrainCurveViewProps, "small"> {
  smoothing: number;
  /** Names of series, one a line: as texts they are the same from one time to the next. */
  asked: string;
  small: string;
  choose: Choose;
}

/** Drawn again only when the curve or the way to look at it is another: thousands of points take their time. */
const Drawn = memo(function Drawn({
  curve,
  name,
  small,
  scale,
  from,
  to,
  smoothing,
  asked,
  choose,
}: DrawnProps): ReactNode {
  const series = trainingSeries(curve, { smoothing, asked: asked.split("\n"), small: small.split("\n") });
  const { alarms, divergedAt } = hackSeries(curve);
  const thinned = curve.totalPoints > curve.steps.length;
  const nonFinite = Object.entries((curve as { nonFinite?: Record<string, number> }).nonFinite ?? {});
  if (series.main.length === 0) return <p className="small none">No value is logged on any step yet.</p>;
  return (
    <>
      <CurveChart
        label={labelOf(curve, series, name)}
        steps={curve.steps}
        lines={series.main}
        xScale={scale}
        thinned={thinned}
        alarms={alarms}
        divergedAt={divergedAt}
        onZoom={(low, high) => choose({ from: String(low), to: String(high) }, { keepPage: true })}
        table={<CurveTable curve={curve} series={series} />}
        caption={scale === "log" && curve.steps[0] === 0 ? "Step 0 has no place on a logarithmic axis." : undefined}
      />
      <Stretch curve={curve} from={from} to={to} />
      {series.minis.length > 0 && (
        <div className="minis">
          {series.minis.map(({ name, values }) => (
            <MiniCurve key={name} {...{ name, values, smoothing, thinned }} steps={curve.steps} xScale={scale} />
          ))}
        </div>
      )}
      {nonFinite.length > 0 && (
        <p className="note">
          Not a number, and so a gap:{" "}
          {nonFinite
            .map(([name, count]) => `${whole(count)} ${count === 1 ? "value" : "values"} of ${name}`)
            .join(", ")}
          .
        </p>
      )}
      <OtherSeries names={series.others} />
    </>
  );
});

function labelOf(curve: TrainCurve, { main }: TrainingSeries, run: string): string {
  const { alarms } = hackSeries(curve);
  const said = main.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? name : `${name} from ${number(known[0]!)} to ${number(known.at(-1)!)}`;
  });
  const alarmed = alarms.map(({ kind, step }) => `${kind} at step ${whole(step)}`);
  return `Training of ${run} over ${whole(curve.totalPoints)} steps: ${said.join("; ")}${
    alarmed.length === 0 ? "" : `; alarms: ${alarmed.join(", ")}`
  }.`;
}

/** The stretch that is looked at: by dragging over the drawing, or by its ends. */
function Stretch({ curve, from, to }: { curve: TrainCurve; from: number | null; to: number | null }): ReactNode {
  const [, choose] = useChoices();
  const [ends, setEnds] = useState<[string, string]>([from?.toString() ?? "", to?.toString() ?? ""]);
  const zoomed = from !== null || to !== null;
  if (curve.steps.length < 3 && !zoomed) return null;
  return (
    <form
      className={`${styles.stretch} note`}
      key={`${from} ${to}`}
      onSubmit={(event) => {
        event.preventDefault();
        choose({ from: ends[0] || undefined, to: ends[1] || undefined }, { keepPage: true });
      }}
    >
      <span className="wide-only">Drag over the drawing to look closer, or give the steps:</span>
      {(["from", "to"] as const).map((name, place) => (
        <label key={name}>
          {name}{" "}
          <input
            className="field"
            inputMode="numeric"
            pattern="[0-9]*"
            defaultValue={(place === 0 ? from : to) ?? ""}
            placeholder={whole(place === 0 ? (curve.steps[0] ?? 0) : (curve.steps.at(-1) ?? 0))}
            onChange={(event) => setEnds(place === 0 ? [event.target.value, ends[1]] : [ends[0], event.target.value])}
          />
        </label>
      ))}
      <button type="submit" className="plain">
        look
      </button>
      {zoomed && (
        <button
          type="button"
          className="plain"
          onClick={() => choose({ from: undefined, to: undefined }, { keepPage: true })}
        >
          all steps
        </button>
      )}
    </form>
  );
}

/** Series that are listed before one has to write a part of a name. */
const LISTED = 60;

function OtherSeries({ names }: { names: readonly string[] }): ReactNode {
  const [search, choose] = useChoices();
  const [wanted, setWanted] = useState("");
  const asked = textsOf(search, "series");
  if (names.length === 0) return null;
  const found = names.filter((name) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <details>
      <summary>Other series: {names.length}</summary>
      {names.length > 12 && (
        <label className="small">
          <span className="sr">Part of the name of a series</span>
          <input
            className="field"
            placeholder="Part of a name"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </label>
      )}
      <ul className={`small ${styles.series}`}>
        {found.slice(0, LISTED).map((name) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={asked.includes(name)}
                onChange={() =>
                  choose(
                    { series: asked.includes(name) ? asked.filter((one) => one !== name) : [...asked, name] },
                    { keepPage: true },
                  )
                }
              />{" "}
              <bdi>{name}</bdi>
            </label>
          </li>
        ))}
        {found.length === 0 && <li className="none">No series has that in its name.</li>}
        {found.length > LISTED && <li className="note">{found.length - LISTED} more: write more of the name.</li>}
      </ul>
    </details>
  );
}

function CurveTable({ curve, series }: { curve: TrainCurve; series: TrainingSeries }): ReactNode {
  const columns = [...series.main.filter(({ look }) => look !== "smooth"), ...series.minis];
  const { alarms } = hackSeries(curve);
  const monitored = series.main.find(({ look }) => look === "gold" || look === "proxy");
  // The monitor's own steps are the ones to read, where there is one.
  const all = curve.steps.map((_, place) => place);
  const wanted = monitored === undefined ? all : all.filter((place) => monitored.values[place] !== null);
  const places = tablePlaces(wanted.length).map((place) => wanted[place]!);
  return (
    <table>
      <caption>
        {places.length === curve.totalPoints ? "Every step." : `${places.length} of ${whole(curve.totalPoints)} steps.`}
      </caption>
      <thead>
        <tr>
          <th scope="col">step</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col" className="num">
              <bdi>{name}</bdi>
            </th>
          ))}
          {alarms.length > 0 && <th scope="col">alarm</th>}
        </tr>
      </thead>
      <tbody>
        {places.map((place) => {
          const step = curve.steps[place]!;
          const kinds = alarms.filter((alarm) => alarm.step === step).map(({ kind }) => kind);
          return (
            <tr key={step}>
              <th scope="row">{whole(step)}</th>
              {columns.map(({ name, values }) => {
                const value = values[place];
                return (
                  <td key={name} className="num">
                    {value == null ? <span className="none">not logged</span> : number(value)}
                  </td>
                );
              })}
              {alarms.length > 0 && <td>{kinds.join(", ")}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
