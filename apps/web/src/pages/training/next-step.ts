import type { AlarmRow } from "./alarm-rows.ts";

/** What a person does about alarms: the checkpoint to keep, and what to look at before it starts again. */
export interface NextStep {
  says: string;
  /** What the reward pays for in the rows it was trained on; null where the run names no set. */
  call: string | null;
}

/**
 * What is to be done about the alarms of a run; null without one. A divergence and a length alarm look back to an
 * evaluation at which nothing was wrong yet: that is the checkpoint to keep.
 */
export function nextStep(
  alarms: readonly AlarmRow[],
  { status, datasetId }: { status: string; datasetId?: string | null },
): NextStep | null {
  const first = alarms.at(-1);
  if (first === undefined) return null;
  const kept =
    first.since === null
      ? `Keep a checkpoint from before step ${first.step}`
      : `Keep the checkpoint of step ${first.since}, the last before it parted`;
  const again = "find what the reward pays for before it starts again";
  return {
    says: status === "running" ? `Stop it where it runs. ${kept}, and ${again}.` : `${kept}, and ${again}.`,
    call: datasetId == null ? null : `wai pull ${datasetId} | wai hack-scan -`,
  };
}
