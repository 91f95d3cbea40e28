import { isObject, type Row, stepsOf, toolFault } from "@while/schema";
import { PASS_THRESHOLD } from "@while/stats";

/**
 * Whether a rollout shows something to look at again: a fault was planned for it, a tool answered with one, its judge
 * failed it, or a criterion of its judge did.
 */
export function wentWrong(row: Row): boolean {
  if (isObject(row.faults) && Object.keys(row.faults).length > 0) return true;
  if (typeof row.reward === "number" && row.reward < PASS_THRESHOLD) return true;
  if (Object.values(row.markers ?? {}).some((value) => value === 0)) return true;
  return stepsOf(row).some(({ result }) => toolFault(result) !== "");
}
