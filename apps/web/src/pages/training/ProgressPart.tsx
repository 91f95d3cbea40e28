import { getPriceBook, type RunDetail } from "@while/platform-client/contract";
import { trainingCost } from "@while/platform-client/rules";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { dollars, duration, number, time, whole } from "../../numbers.ts";
import { Part } from "../../parts/Part.tsx";
import { RunProgress } from "../../parts/RunProgress.tsx";
import { numberIn, textIn } from "../../wire-values.ts";
import { nameOf } from "./run-name.ts";
import type { TrainingState } from "./training-lead.ts";

/** How far it is or how long it took, how fast a step is, on what, and what that costs. */
export function ProgressPart({ run, state }: { run: RunDetail; state: TrainingState }): ReactNode {
  const { pace, total } = state;
  const running = run.status === "running";
  const summary = run.summary ?? {};
  const gpu = textIn(summary, "gpu") ?? run.gpu ?? null;
  const seconds = numberIn(summary, "seconds") ?? run.seconds ?? pace.elapsedS;
  return (
    <Part
      id="progress"
      title={running ? "Progress" : "How it went"}
      note={
        running
          ? "What is left goes by the median time of a step. A trainer that went quiet keeps its last word here, with its age."
          : undefined
      }
    >
      {running && (
        <RunProgress
          name={nameOf(run)}
          step={pace.step}
          total={total}
          at={pace.lastAt ?? run.updatedAt}
          secondsLeft={pace.leftS}
        />
      )}
      <dl className="defs">
        <dt>status</dt>
        <dd className={run.status === "failed" ? "bad" : undefined}>
          <bdi>{run.status}</bdi>
          {!running && `, ${time(run.updatedAt)}`}
        </dd>
        <dt>steps</dt>
        <dd>
          {pace.step === null ? <span className="none">none logged</span> : whole(pace.step)}
          {total !== null && ` of ${whole(total)}`}
          {pace.medianStepS !== null && `, ${number(pace.medianStepS)} s each by the median`}
        </dd>
        <dt>{running ? "so far" : "time"}</dt>
        <dd>{seconds === null ? <span className="none">not reported</span> : duration(seconds)}</dd>
        <dt>GPU</dt>
        <dd className="wrap">{gpu === null ? <span className="none">not reported</span> : <bdi>{gpu}</bdi>}</dd>
        <dt>cost</dt>
        <dd>
          <Cost posted={run.costUsd ?? numberIn(summary, "cost_usd")} gpu={gpu} seconds={seconds} />
        </dd>
      </dl>
    </Part>
  );
}

interface CostProps {
  /** What the trainer says it cost. */
  posted: number | null;
  gpu: string | null;
  seconds: number | null;
}

function Cost({ posted, gpu, seconds }: CostProps): ReactNode {
  const book = useAnswer(getPriceBook);
  if (posted !== null) return <>{dollars(posted)}, as reported</>;
  if (book.data === undefined) return <span className="none">not priced yet</span>;
  const { costUsd, costBasis } = trainingCost(gpu, seconds, book.data);
  return (
    <>
      {costUsd === null ? <span className="none">not priced</span> : `about ${dollars(costUsd)}`}
      <span className="sub wrap">
        <bdi>{costBasis}</bdi>
      </span>
      <span className="sub">rollouts and judge calls are not in it</span>
    </>
  );
}
