import { isObject, type Row, toolFault } from "@while/schema";
import { toolSteps } from "./features.ts";

/** What `traceFault` answers where nothing went wrong. */
export const NO_FAULT = "no fault";

/**
 * What went wrong in the world of a rollout: the first fault among the results its tools gave, read by `toolFault`.
 * The plan in `faults` counts only when no result was seen at all: a scheduled fault that never fired is none.
 */
export function traceFault(row: Row): string {
  let answered = false;
  for (const { result } of toolSteps(row)) {
    if (result === null || result === undefined) continue;
    answered = true;
    const fault = toolFault(result);
    if (fault !== "") return fault;
  }
  return answered ? NO_FAULT : plannedFault(row) || NO_FAULT;
}

/** The first mode that the fault plan names, under the same names as observed ones. */
function plannedFault(row: Row): string {
  if (!isObject(row.faults)) return "";
  for (const entry of Object.values(row.faults)) {
    if (isObject(entry) && typeof entry.mode === "string" && entry.mode !== "")
      return toolFault({ status: entry.mode }) || entry.mode;
  }
  return "";
}
