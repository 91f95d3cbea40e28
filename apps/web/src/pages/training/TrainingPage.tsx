import { Link, useNavigate, useParams } from "@tanstack/react-router";
import {
  getCurve,
  getDataset,
  getRun,
  listRuns,
  type RunDetail,
  type TrainCurve,
} from "@while/platform-client/contract";
import { type ReactNode, useEffect, useRef } from "react";
import { call } from "../../api/call.ts";
import { answerKey, askAgain, queryClient, useAnswer } from "../../api/use-answer.ts";
import { useRunEvents } from "../../api/use-run-events.ts";
import { hackSeries } from "../../marks/hack-series.ts";
import { time } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { CopyButton, copy } from "../../parts/CopyButton.tsx";
import { FoldedText } from "../../parts/FoldedText.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { Part } from "../../parts/Part.tsx";
import { SaveTable } from "../../parts/SaveTable.tsx";
import { EXACTLY } from "../../search.ts";
import { announce } from "../../shell/announce.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useTitle } from "../../shell/title.ts";
import { useNeighbours } from "../../shell/use-neighbours.ts";
import { AlarmsPart } from "./AlarmsPart.tsx";
import { alarmRows, readMonitor } from "./alarm-rows.ts";
import { ConfigPart } from "./ConfigPart.tsx";
import { CurvesPart, useCurve, WHOLE } from "./CurvesPart.tsx";
import { curveCells, curveHeads } from "./curve-table.ts";
import { DeltaPart } from "./DeltaPart.tsx";
import { HeldOutPart } from "./HeldOutPart.tsx";
import { heldOut } from "./held-out.ts";
import { nextStep } from "./next-step.ts";
import { ProgressPart } from "./ProgressPart.tsx";
import { nameOf } from "./run-name.ts";
import { StopRun } from "./StopRun.tsx";
import { trainingForAgent } from "./training-for-agent.ts";
import { type TrainingState, trainingLead } from "./training-lead.ts";
import { useStepPace } from "./use-step-pace.ts";
import "../../styles/training.css";

/** A step that no run reaches: the run itself is asked for here, and its points where they are needed. */
const NO_POINTS = 1e12;
/** How often a running run is asked for beside what it tells by itself, milliseconds. */
const LOOK_MS = 15_000;
/** Runs that the keys walk through. */
const WALKED = 100;

/** One training run: what went wrong, how far it is, what it did to the held-out set, and how it went there. */
export function TrainingPage(): ReactNode {
  const { run: id } = useParams({ strict: false }) as { run: string };
  const asked = useAnswer(getRun, {
    params: { id },
    query: { from: NO_POINTS },
    every: (run) => (run?.status === "running" ? LOOK_MS : false),
  });
  const running = asked.data?.status === "running";
  useRunEvents(id, {
    when: running,
    everyMs: 2000,
    onEvents: () => void askAgain(getRun, getCurve),
  });
  useTitle(asked.data === undefined ? undefined : nameOf(asked.data), "Training");
  const navigate = useNavigate();
  useNeighbours({
    ...{ what: "run", id, list: listedRuns },
    open: (next) => void navigate({ to: "/platform/training/$run", params: { run: next } as never }),
  });
  return (
    <Answered key={id} of={asked} what="the run" head="Training run">
      {(run) => <RunReport run={run} />}
    </Answered>
  );
}

function RunReport({ run }: { run: RunDetail }): ReactNode {
  const curve = useCurve(run, WHOLE);
  const logged = curve.data === undefined ? [] : hackSeries(curve.data).alarms;
  const pace = useStepPace(run, curve.data);
  const monitor = readMonitor(run.summary);
  const state: TrainingState = {
    status: run.status,
    total: run.totalSteps ?? null,
    pace,
    alarms: alarmRows(run.summary, logged),
    monitor,
    held: heldOut(run.summary),
  };
  return (
    <>
      <RunHead run={run} state={state} curve={curve.data} />
      {run.error != null && run.error !== "" && (
        <Part id="error" title="What went wrong" note="As the trainer said it.">
          <div className="went-wrong">
            <FoldedText text={run.error} code />
          </div>
          <CopyButton text={run.error} what="the error" />
        </Part>
      )}
      <ProgressPart run={run} state={state} />
      <HeldOutPart held={state.held} running={run.status === "running"} />
      <CurvesPart run={run} />
      {(state.alarms.length > 0 || monitor !== null) && (
        <AlarmsPart alarms={state.alarms} monitor={monitor} next={nextStep(state.alarms, run)} />
      )}
      <DeltaPart summary={run.summary ?? null} />
      <ConfigPart run={run} />
      <Foot json={`/runs/${encodeURIComponent(run.id)}`} keys={["[ ] runs", "c copy for agent"]} />
    </>
  );
}

interface RunHeadProps {
  run: RunDetail;
  state: TrainingState;
  /** Its steps, once they are there. */
  curve: TrainCurve | undefined;
}

function RunHead({ run, state, curve }: RunHeadProps): ReactNode {
  const text = (): string => trainingForAgent(run, state);
  useStatusSaid(run.status, state);
  useKeys([{ keys: "c", says: "copy for agent", run: () => void copy(text(), "the run for an agent") }]);
  const method = run.method ?? (typeof run.config?.method === "string" ? run.config.method : null);
  const base = run.base ?? run.baseModel ?? null;
  return (
    <div className="title">
      <h1 className="wrap">
        <BreakableName name={nameOf(run)} />
      </h1>
      <div className="actions">
        <CopyButton className="button" text={text} what="the run for an agent">
          Copy for agent <span className="key">c</span>
        </CopyButton>
        {curve !== undefined && curve.steps.length > 0 && (
          <SaveTable name={`${run.id}-curve`} heads={curveHeads(curve)} rows={() => curveCells(curve)} />
        )}
        {run.status === "running" && <StopRun run={run} />}
      </div>
      <div className="facts">
        <Link to="/platform/training" activeOptions={EXACTLY}>
          all runs
        </Link>
        <span>{run.id}</span>
        {method !== null && (
          <span className="wrap">
            <bdi>{method}</bdi>
          </span>
        )}
        {base !== null && (
          <span className="wrap">
            <bdi>{base}</bdi>
          </span>
        )}
        {run.datasetId != null && <DataOf id={run.datasetId} />}
        {run.agent !== null && (
          <Link to="/platform/runs" search={{ agent: run.agent, run: run.id } as never}>
            run of <bdi className="wrap">{run.agent}</bdi>
          </Link>
        )}
        <span>started {time(run.createdAt)}</span>
      </div>
      <p className="lead">{curve === undefined ? "Reading its steps …" : trainingLead(state)}</p>
    </div>
  );
}

/** Says a change of status to who cannot see it; steps go by too often to be read out. */
function useStatusSaid(status: string, state: TrainingState): void {
  const before = useRef(status);
  const lead = trainingLead(state);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    announce(lead);
  }, [status, lead]);
}

function DataOf({ id }: { id: string }): ReactNode {
  const set = useAnswer(getDataset, { params: { id } });
  return (
    <span className="wrap">
      data{" "}
      <Link to="/platform/datasets/$dataset" params={{ dataset: id } as never}>
        <bdi>{set.data?.name ?? id}</bdi>
      </Link>
      {set.isError && " (gone)"}
    </span>
  );
}

/** Runs of the list, which are asked for when one walks through them: each carries its whole summary. */
async function listedRuns(): Promise<readonly string[]> {
  const query = { limit: WALKED };
  const { runs } = await queryClient.fetchQuery({
    queryKey: answerKey(listRuns, { query }),
    queryFn: () => call(listRuns, { query }),
    staleTime: 60_000,
  });
  return runs.map(({ id }) => id);
}
