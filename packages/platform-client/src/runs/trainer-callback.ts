import type { PlatformWarning } from "../transport/warning.ts";
import { mapTrainerLogs } from "./map-trainer-logs.ts";

/** What a callback needs of a run: both kinds have it. */
export interface LoggedRun {
  log(step: number, metrics: Readonly<Record<string, unknown>>): void;
  progress(step: number, total?: number | null): void;
  finish(status: "done", options: { summary: Record<string, unknown> }): Promise<unknown>;
  readonly status: string;
  readonly step: number;
}

/** What a trainer says of itself. */
export interface TrainerState {
  globalStep: number;
  maxSteps?: number | null;
  /** Logs so far, oldest first. */
  logHistory?: readonly Readonly<Record<string, unknown>>[];
}

/** Three hooks for a trainer that speaks like transformers. */
export interface TrainerCallback {
  onTrainBegin(state: TrainerState): void;
  onLog(state: TrainerState, logs: Readonly<Record<string, unknown>>): void;
  onTrainEnd(state: TrainerState): Promise<void>;
}

/**
 * The one-line way to report a trainer: each of its logs becomes a point under the names that the pages draw, and its
 * end the end of the run.
 *
 * @param options `finish: false` leaves the run open, for scores that come after training
 */
export function trainerCallback(
  run: LoggedRun,
  { finish = true, warn }: { finish?: boolean; warn?: (warning: PlatformWarning) => void } = {},
): TrainerCallback {
  let hasLogged = false;
  return {
    onTrainBegin({ globalStep, maxSteps }) {
      if (typeof maxSteps === "number" && maxSteps > 0) run.progress(globalStep, maxSteps);
    },
    onLog({ globalStep }, logs) {
      const metrics = mapTrainerLogs(logs);
      if (Object.keys(metrics).length === 0) return;
      hasLogged = true;
      run.log(globalStep, metrics);
    },
    async onTrainEnd({ globalStep, logHistory = [] }) {
      if (!hasLogged && globalStep > 0) {
        const message = `the trainer reached step ${globalStep} and logged nothing: does a subclass swallow its hook?`;
        warn?.({ code: "nothing_logged", message });
      }
      if (!finish || run.status !== "running") return;
      const last = logHistory.findLast(({ train_loss }) => typeof train_loss === "number");
      await run.finish("done", { summary: last === undefined ? {} : { train_loss: last.train_loss } });
    },
  };
}
