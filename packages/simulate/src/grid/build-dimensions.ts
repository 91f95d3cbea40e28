import { isObject } from "@while/schema";
import { behaviorTier } from "@while/stats";
import { SimulateError } from "../simulate-error.ts";
import { FAULT_MODES } from "../world/fault-modes.ts";
import { isReferenceKey } from "../world/reference-key.ts";
import { toolSchemas } from "../world/tool-schemas.ts";
import {
  type Dimensions,
  FAULT_OF_CONDITION,
  GRID_AXES,
  HISTORIES,
  MULTI_TOOL,
  STANCES,
  SUCCESS,
  UNRELATED,
  UNSPECIFIED,
  WORLD_STATES,
} from "./dimensions.ts";
import { policyClauses, RULE_CAP } from "./policy-clauses.ts";

export interface DimensionsOptions {
  /** Clauses of the policy that get cells. */
  ruleCap?: number;
  /** Axes to set by hand; the others stay. */
  dimensions?: Dimensions;
  /** Fault modes of one's own, which a `tool_condition` may name. */
  faultModes?: readonly string[];
}

export interface BuiltDimensions {
  dimensions: Dimensions;
  /** Clauses found, of which at most `ruleCap` are on the axis. */
  nClauses: number;
  /** Said when the policy has more clauses than the axis. */
  warning?: string;
}

/**
 * The axes of the grid of an agent: its tools, the clauses of its policy, how the person behaves, what the world holds,
 * how tools fail, what happened before. World states are an axis only where some tool takes a reference to an entity;
 * `orderId` is one as `order_id` is, which the Python SDK does not see.
 *
 * @param tools In any spelling that `toolSchemas` reads
 * @throws SimulateError `bad_dimensions`, `bad_tools`
 */
export function buildDimensions(
  tools: readonly unknown[],
  policy: string,
  { ruleCap = RULE_CAP, dimensions: given, faultModes = [] }: DimensionsOptions = {},
): BuiltDimensions {
  if (given !== undefined) checkDimensions(given, faultModes);
  const { clauses, total } = policyClauses(policy, { cap: ruleCap });
  const schemas = toolSchemas(tools).tools.map((tool) => tool.function);
  const hasReferences = schemas.some(({ parameters }) => namesEntity(parameters));
  const own: Dimensions = {
    tool: [...new Set([...schemas.map(({ name }) => name), UNRELATED, MULTI_TOOL])],
    rule: clauses.length > 0 ? clauses : [UNSPECIFIED],
    stance: STANCES,
    world_state: hasReferences ? WORLD_STATES : [UNSPECIFIED],
    tool_condition: [SUCCESS, ...FAULT_OF_CONDITION.keys()],
    history: HISTORIES,
  };
  const dimensions = Object.fromEntries(GRID_AXES.map((axis) => [axis, [...new Set(given?.[axis] ?? own[axis])]]));
  if (total <= ruleCap || given?.rule !== undefined) return { dimensions, nClauses: total };
  const warning = `The policy has ${total} clauses and the grid has cells for the first ${ruleCap}: name those that matter with dimensions: { rule: [...] }, or split the policy.`;
  return { dimensions, nClauses: total, warning };
}

function namesEntity(parameters: unknown): boolean {
  if (!isObject(parameters) || !isObject(parameters.properties)) return false;
  return Object.entries(parameters.properties).some(([key, schema]) => isReferenceKey(key) || namesEntity(schema));
}

/** Refused before anything runs: an axis that is none, or a value that would be read as something else. */
function checkDimensions(given: Dimensions, faultModes: readonly string[]): void {
  const refuse = (what: string, fix: string) => new SimulateError("bad_dimensions", what, fix);
  const form = 'Give axes with their values, such as { stance: ["adversarial"] }.';
  if (!isObject(given) || Object.keys(given).length === 0) {
    throw refuse(`dimensions is ${JSON.stringify(given)}.`, form);
  }
  for (const [axis, values] of Object.entries(given)) {
    if (axis === "tier") throw refuse("There is no axis tier.", "A tier is read off the stance: set that axis.");
    if (!GRID_AXES.includes(axis)) throw refuse(`There is no axis ${axis}.`, `The axes are ${GRID_AXES.join(", ")}.`);
    if (!Array.isArray(values) || values.length === 0 || !values.every((value) => typeof value === "string")) {
      throw refuse(`The axis ${axis} has the values ${JSON.stringify(values)}.`, "Give a list of one text or more.");
    }
  }
  for (const stance of given.stance ?? []) {
    if (behaviorTier({ scenario_dimensions: { stance } }) !== "unlabelled") continue;
    throw refuse(`The stance ${stance} has no tier.`, `Use those that have: ${STANCES.join(", ")}.`);
  }
  for (const condition of given.tool_condition ?? []) {
    const known = [SUCCESS, ...FAULT_OF_CONDITION.keys(), ...FAULT_MODES.keys(), ...faultModes];
    if (known.includes(condition)) continue;
    throw refuse(`The tool condition ${condition} is no way to fail.`, `Use ${known.join(", ")}, or add faultModes.`);
  }
}
