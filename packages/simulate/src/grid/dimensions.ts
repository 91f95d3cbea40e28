/** The axes of a coverage grid: values by axis, in an order that ids and arrays rest on. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;

/** The six axes, in order. */
export const GRID_AXES: readonly string[] = Object.freeze([
  ...["tool", "rule", "stance", "world_state", "tool_condition", "history"],
]);

/** The value of an axis that says nothing. */
export const UNSPECIFIED = "unspecified";
/** Values of the axis `tool` that are no tool: an ask that needs none, and one that needs several. */
export const UNRELATED = "unrelated";
export const MULTI_TOOL = "multi_tool";
/** The tool condition under which nothing fails. */
export const SUCCESS = "success";

export const STANCES: readonly string[] = Object.freeze([
  ...["ordinary", "ambiguous", "boundary", "adversarial", "hurried"],
  ...["unsure", "retry", "mistaken", "exploratory", "conflicting"],
]);

export const WORLD_STATES: readonly string[] = Object.freeze([
  ...["entity exists", "entity missing", "entity already acted on"],
  ...["duplicate entity", "partially completed", "unknown"],
]);

/** How each tool condition of the grid fails a call. */
export const FAULT_OF_CONDITION: ReadonlyMap<string, string> = new Map([
  ["timeout", "timeout"],
  ["malformed_result", "malformed"],
  ["stale_result", "stale"],
  ["permission_denied", "permission_denied"],
]);

export const HISTORIES: readonly string[] = Object.freeze([
  ...["fresh", "prior_failure", "prior_partial_action", "contradicts_earlier", "repeat visit"],
]);
