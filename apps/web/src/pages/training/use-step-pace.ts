import { getRun, type RunDetail, type TrainCurve } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";
import { type StepPace, stepPace } from "./step-pace.ts";

/** Steps at the end of a run that its pace is measured on: what is left goes by what it does now. */
const RECENT = 400;
/** The stretch that is asked for begins at a multiple of this, so that it is asked for again and not anew with each step. */
const ROUND = 100;

/** The pace of a run, from its first point and its last steps. The whole of a long run would be a million points. */
export function useStepPace(run: RunDetail, curve: TrainCurve | undefined): StepPace {
  const first = curve?.steps[0];
  const last = curve?.steps.at(-1);
  const params = { id: run.id };
  const when = first !== undefined && last !== undefined;
  const begin = useAnswer(getRun, { params, query: { from: first ?? 0, to: first ?? 0 }, when });
  const from = Math.max(first ?? 0, Math.floor(((last ?? 0) - RECENT) / ROUND) * ROUND);
  const recent = useAnswer(getRun, { params, query: { from }, when });
  const points = [begin.data, recent.data].flatMap((part) => part?.series ?? part?.train ?? []);
  const pace = stepPace(points, run.totalSteps ?? null);
  return { ...pace, step: pace.step ?? last ?? run.steps ?? null };
}
