import {
  getAgentScores,
  getBrief,
  getCurve,
  getDashboard,
  getEvals,
  listRuns,
  type RunRow,
  type TrainCurve,
} from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { Refusal } from "../../api/refusal.ts";
import { askAgain, useAnswer } from "../../api/use-answer.ts";
import { useRunEvents } from "../../api/use-run-events.ts";
import { CurveChart } from "../../marks/CurveChart.tsx";
import { hackSeries } from "../../marks/hack-series.ts";
import { MiniCurve } from "../../marks/MiniCurve.tsx";
import { duration, number, whole } from "../../numbers.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { RunProgress } from "../../parts/RunProgress.tsx";
import { choiceOf, textOf, textsOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { Choice } from "./Choice.tsx";

import { toggled } from "./compared.ts";
import type { Report } from "./report.ts";
import { type TrainingSeries, tablePlaces, trainingSeries } from "./training-series.ts";

/** Steps that are drawn; of a longer curve the extremes of each stretch. */
const POINTS = 2000;
const SMOOTHINGS = ["off", "0.9", "0.98"] as const;

/** How the candidate was trained, as it happens. */
export function TrainingPart({ report }: { report: Report }): ReactNode {
  const [search] = useChoices();
  const given = report.dashboard.train;
  const run = textOf(search, "curve") ?? given?.run ?? null;
  const row = report.runs.find(({ id }) => id === run);
  const running = (row?.status ?? (given?.run === run ? given?.status : null)) === "running";
  const scale = choiceOf(search, "x", ["linear", "log"]);
  const [from, to] = [numberOf(textOf(search, "from")), numberOf(textOf(search, "to"))];
  const asked = useAnswer(getCurve, {
    params: { id: run ?? "" },
    query: { points: POINTS, scale, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
    when: run !== null,
    every: running ? 15_000 : false,
  });
  useRunEvents(run, {
    when: running,
    onEvents: (events) => {
      void askAgain(getCurve, listRuns);
      if (events.has("score") || events.has("status") || events.has("alarm"))
        void askAgain(getDashboard, getBrief, getAgentScores, getEvals);
    },
  });
  if (run === null) return <NoTraining runs={report.runs} />;
  // A platform that does not thin by itself answers the newest curve with the dashboard.
  const curve = asked.data?.run === run ? asked.data : given?.run === run ? given : null;
  const failed = asked.error !== null && !(asked.error instanceof Refusal && asked.error.status === 404);
  return (
    <Part
      id="training"
      title="Training"
      note={curve === null ? undefined : <Note curve={curve} row={row} report={report} scale={scale} />}
    >
      {running && row !== undefined && (
        <RunProgress
          name={row.version}
          step={row.steps ?? curve?.steps.at(-1) ?? null}
          total={row.totalSteps ?? null}
          at={row.updatedAt}
        />
      )}
      {curve === null ? (
        <p className="waiting quiet" role="status">
          {failed ? asked.error?.message : "Reading the curve …"}
        </p>
      ) : (
        <Curve curve={curve} row={row} scale={scale} from={from} to={to} />
      )}
    </Part>
  );
}

function numberOf(text: string | undefined): number | null {
  const value = Number(text);
  return text !== undefined && text !== "" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

interface NoteProps {
  curve: TrainCurve;
  row: RunRow | undefined;
  report: Report;
  scale: "linear" | "log";
}

function Note({ curve, row, report, scale }: NoteProps): ReactNode {
  const [search, choose] = useChoices();
  const thinned = curve.totalPoints > curve.steps.length;
  const trained = report.runs.filter(({ method, id }) => id === curve.run || (method && method !== "eval"));
  const facts = [
    curve.method,
    `${whole(curve.totalPoints)} steps`,
    curve.hours == null ? null : duration(3600 * curve.hours),
    curve.gpu ? `on ${curve.gpu}` : null,
  ].filter(Boolean);
  const { proxy, gold } = hackSeries(curve);
  return (
    <>
      <p>
        {trained.length > 1 ? (
          <Pick
            label="training run"
            value={curve.run}
            options={trained.slice(0, 50).map(({ id, version }) => ({ value: id, label: `${version}, ${id}` }))}
            onPick={(id) => choose({ curve: id, from: undefined, to: undefined })}
          />
        ) : (
          <bdi>{row === undefined ? curve.run : `${row.version}, ${curve.run}`}</bdi>
        )}
        : {facts.join(", ")}.{" "}
        {thinned
          ? `${whole(curve.steps.length)} of them are drawn: the extremes of each stretch.`
          : "Every step is drawn."}{" "}
        {choiceOf(search, "smooth", SMOOTHINGS) === "off"
          ? "Nothing is smoothed."
          : "The raw line stays under the smoothed one."}
      </p>
      {(proxy !== null || gold !== null) && (
        <p>Proxy is what the trainer pays; gold is the frozen judge on held-out prompts.</p>
      )}
      <Choice
        name="x"
        now={scale}
        choices={[
          { value: "linear", label: "linear" },
          { value: "log", label: "log" },
        ]}
      />
      <Choice
        name="smooth"
        now={choiceOf(search, "smooth", SMOOTHINGS)}
        choices={SMOOTHINGS.map((value) => ({ value, label: value === "off" ? "raw" : `smoothed by ${value}` }))}
      />
    </>
  );
}

interface CurveProps {
  curve: TrainCurve;
  row: RunRow | undefined;
  scale: "linear" | "log";
  from: number | null;
  to: number | null;
}

function Curve({ curve, row, scale, from, to }: CurveProps): ReactNode {
  const [search, choose] = useChoices();
  const smooth = choiceOf(search, "smooth", SMOOTHINGS);
  const smoothing = smooth === "off" ? 0 : Number(smooth);
  const series = trainingSeries(curve, { smoothing, asked: textsOf(search, "series") });
  const { alarms, divergedAt } = hackSeries(curve);
  const thinned = curve.totalPoints > curve.steps.length;
  const nonFinite = Object.entries((curve as { nonFinite?: Record<string, number> }).nonFinite ?? {});
  if (series.main.length === 0) return <p className="small none">No value is logged on any step yet.</p>;
  return (
    <>
      <CurveChart
        label={labelOf(curve, series, row)}
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
}

function labelOf(curve: TrainCurve, { main }: TrainingSeries, row: RunRow | undefined): string {
  const { alarms } = hackSeries(curve);
  const said = main.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? name : `${name} from ${number(known[0]!)} to ${number(known.at(-1)!)}`;
  });
  const alarmed = alarms.map(({ kind, step }) => `${kind} at step ${whole(step)}`);
  return `Training of ${row?.version ?? curve.run} over ${whole(curve.totalPoints)} steps: ${said.join("; ")}${
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
      className="stretch note"
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
      <ul className="small series">
        {found.slice(0, LISTED).map((name) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={asked.includes(name)}
                onChange={() => choose({ series: toggled(asked, name) }, { keepPage: true })}
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

function NoTraining({ runs }: { runs: readonly RunRow[] }): ReactNode {
  const trained = runs.some(({ method }) => method && method !== "eval" && method !== "none");
  return (
    <Part id="training" title="Training">
      <Empty
        title={trained ? "No step is logged" : "There was no training"}
        code={{
          TypeScript: "run.log(step, { reward, kl, loss, completion_length })",
          Python: "run.log(step, reward=reward, kl=kl, loss=loss, completion_length=completion_length)",
          curl: 'curl -X POST "$WHILEAI_API_URL/runs/<run>/train" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d \'[{"step": 1, "reward": 0.42, "kl": 0.004}]\'',
        }}
      >
        <p>
          {trained
            ? "The runs say how they were trained, and none of them logged a step. A trainer that logs draws its curve here while it runs."
            : "Every run so far only evaluated. When a trainer logs its steps, its curve is drawn here while it runs."}
        </p>
      </Empty>
    </Part>
  );
}
