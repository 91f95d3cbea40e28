import type { UseQueryResult } from "@tanstack/react-query";
import { getCurve, type RunDetail, type TrainCurve } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { hackSeries } from "../../marks/hack-series.ts";
import { whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Choice } from "../../parts/Choice.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { SMOOTHINGS, stepIn, TrainCurveView } from "../../parts/TrainCurveView.tsx";
import { choiceOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { nameOf } from "./run-name.ts";

/** Steps that are drawn; of a longer curve the extremes of each stretch. */
const POINTS = 2000;
/** How often a running curve is looked at where its events do not come through, milliseconds. */
const LOOK_MS = 15_000;
/** What a trainer looks at beside reward, loss and KL: the replies of the monitor, the held-out loss, and how large the steps are. */
const SMALL = ["holdout_length", "eval_loss", "lr", "grad_norm"];

export interface CurveStretch {
  scale: "linear" | "log";
  from: number | null;
  to: number | null;
}

/** All of a run, as it is drawn before one looks closer. */
export const WHOLE: CurveStretch = { scale: "linear", from: null, to: null };

/** The curve of a run over a stretch of steps. */
export function useCurve(
  { id, status }: Pick<RunDetail, "id" | "status">,
  stretch: CurveStretch,
): UseQueryResult<TrainCurve, Error> {
  const { scale, from, to } = stretch;
  return useAnswer(getCurve, {
    params: { id },
    every: status === "running" ? LOOK_MS : false,
    query: { points: POINTS, scale, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
  });
}

export interface CurvesPartProps {
  run: RunDetail;
}

/** How it went, step by step. */
export function CurvesPart({ run }: CurvesPartProps): ReactNode {
  const [search] = useChoices();
  const scale = choiceOf(search, "x", ["linear", "log"]);
  const [from, to] = [stepIn(search, "from"), stepIn(search, "to")];
  const asked = useCurve(run, { scale, from, to });
  return (
    <Part
      id="curves"
      title="Curves"
      note={asked.data === undefined ? undefined : <Note curve={asked.data} scale={scale} />}
    >
      <Answered of={asked} what="the curve">
        {(curve) =>
          curve.steps.length === 0 && from === null && to === null ? (
            <NoStep running={run.status === "running"} id={run.id} />
          ) : (
            <TrainCurveView curve={curve} name={nameOf(run)} small={SMALL} scale={scale} from={from} to={to} />
          )
        }
      </Answered>
    </Part>
  );
}

function Note({ curve, scale }: { curve: TrainCurve; scale: "linear" | "log" }): ReactNode {
  const [search] = useChoices();
  const smooth = choiceOf(search, "smooth", SMOOTHINGS);
  const { proxy, gold } = hackSeries(curve);
  if (curve.steps.length === 0) return null;
  return (
    <>
      <p>
        {curve.totalPoints > curve.steps.length
          ? `${whole(curve.steps.length)} of ${whole(curve.totalPoints)} steps are drawn: the extremes of each stretch, so that a spike survives.`
          : `All ${whole(curve.totalPoints)} steps are drawn.`}{" "}
        {smooth === "off" ? "Nothing is smoothed." : "The raw line stays under the smoothed one."}
      </p>
      {(proxy !== null || gold !== null) && (
        <p>
          Proxy is what the trainer pays; gold is the frozen judge on held-out prompts. Neither comes with an interval
          of its own; how much gold moved stands with each alarm.
        </p>
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
        now={smooth}
        choices={SMOOTHINGS.map((value) => ({ value, label: value === "off" ? "raw" : `smoothed by ${value}` }))}
      />
    </>
  );
}

function NoStep({ running, id }: { running: boolean; id: string }): ReactNode {
  return (
    <Empty
      title="Loss, reward and KL, step by step"
      code={{
        TypeScript: "run.log(step, { loss, reward, kl, lr });",
        curl: `curl "$WHILEAI_API_URL/runs/${id}/log" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\
  -d '{"points": [{"step": 1, "loss": 0.42}], "total_steps": 300}'`,
      }}
    >
      <p>
        {running
          ? "The run is open and has logged nothing yet. Points appear here as they come."
          : "The run ended without a point."}
      </p>
    </Empty>
  );
}
