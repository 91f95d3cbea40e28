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
import { askAgain, queryClient, useAnswer } from "../../api/use-answer.ts";
import { useRunEvents } from "../../api/use-run-events.ts";
import { hackSeries } from "../../marks/hack-series.ts";
import { duration, whole } from "../../numbers.ts";
import { Choice } from "../../parts/Choice.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { RunProgress } from "../../parts/RunProgress.tsx";
import { SMOOTHINGS, stepIn, TrainCurveView } from "../../parts/TrainCurveView.tsx";
import { choiceOf, textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import type { Report } from "./report.ts";

/** Steps that are drawn; of a longer curve the extremes of each stretch. */
const POINTS = 2000;

/** How the candidate was trained, as it happens. */
export function TrainingPart({ report }: { report: Report }): ReactNode {
  const [search] = useChoices();
  const given = report.dashboard.train;
  const run = textOf(search, "curve") ?? given?.run ?? null;
  const row = report.runs.find(({ id }) => id === run);
  const [heard, setHeard] = useState<string | null>(null);
  const running = (row?.status ?? (given?.run === run ? given?.status : null)) === "running";
  const scale = choiceOf(search, "x", ["linear", "log"]);
  const [from, to] = [stepIn(search, "from"), stepIn(search, "to")];
  const asked = useAnswer(getCurve, {
    params: { id: run ?? "" },
    query: { points: POINTS, scale, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
    when: run !== null,
    every: running ? 15_000 : false,
  });
  useRunEvents(run, {
    when: running,
    everyMs: 2000,
    onEvents: (events) => {
      setHeard(new Date().toISOString());
      // One that is on its way is waited for: of a long curve the next would begin again and again.
      void queryClient.invalidateQueries({ queryKey: [getCurve.id] }, { cancelRefetch: false });
      if (events.has("score")) void askAgain(getDashboard, getBrief, getAgentScores, getEvals, listRuns);
    },
  });
  if (run === null) return <NoTraining runs={report.runs} />;
  const curve = asked.data?.run === run ? asked.data : null;
  return (
    <Part
      id="training"
      title="Training"
      note={curve === null ? undefined : <Note curve={curve} row={row} report={report} scale={scale} />}
    >
      {running && row !== undefined && (
        <RunProgress
          name={row.version}
          step={curve?.steps.at(-1) ?? row.steps ?? null}
          total={row.totalSteps ?? null}
          at={heard ?? row.updatedAt}
        />
      )}
      {curve === null ? (
        <p className="waiting quiet" role="status">
          {asked.error?.message ?? "Reading the curve …"}
        </p>
      ) : (
        <TrainCurveView curve={curve} name={row?.version ?? curve.run} scale={scale} from={from} to={to} />
      )}
    </Part>
  );
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
