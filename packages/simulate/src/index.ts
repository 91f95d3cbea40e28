// An agent, and a model as a parameter
export type { Agent, AgentInfo, AgentReply, RolloutContext } from "./agent/agent.ts";
export type { Model, ModelAnswer, ModelRequest, ModelRole, ModelToolCall, ModelTurn, ModelUse } from "./agent/model.ts";

// The grid: which situations there are, and their ids
export { buildDimensions } from "./grid/build-dimensions.ts";
export type { BuiltDimensions, DimensionsOptions } from "./grid/build-dimensions.ts";
export { GRID_AXES } from "./grid/dimensions.ts";
export type { Dimensions } from "./grid/dimensions.ts";
export { buildGrid, extendGrid, UNRELATED_NEEDS_NO_TOOL } from "./grid/grid.ts";
export type { Grid, GridChange, GridOptions } from "./grid/grid.ts";
export { coveringArray } from "./grid/covering-array.ts";
export type { CoveringOptions } from "./grid/covering-array.ts";
export type { Constraint } from "./grid/greedy-array.ts";
export { policyClauses, RULE_CAP } from "./grid/policy-clauses.ts";
export type { PolicyClauses } from "./grid/policy-clauses.ts";
export { probeId, regionId } from "./grid/region-id.ts";
export type { Assignment } from "./grid/region-id.ts";
export { drawCells } from "./grid/draw-cells.ts";
export type { DrawCellsOptions } from "./grid/draw-cells.ts";
export { mixByTier } from "./grid/mix-by-tier.ts";
export type { MixOptions } from "./grid/mix-by-tier.ts";
export { preferSuccess } from "./grid/prefer-success.ts";
export { toolKind } from "./grid/tool-kind.ts";
export type { ToolKind } from "./grid/tool-kind.ts";
export { pairwiseCoverage } from "./grid/pairwise-coverage.ts";
export type { PairwiseCoverage } from "./grid/pairwise-coverage.ts";

// The world: tools, and how they fail
export { tool, toolSchemas, wireTool } from "./world/tool-schemas.ts";
export type { SimTool, ToolDefinition, ToolSchemas } from "./world/tool-schemas.ts";
export type { Fault, FaultPlan } from "./world/fault-plan.ts";
export { FAULT_MODES } from "./world/fault-modes.ts";
export type { FaultMode } from "./world/fault-modes.ts";

// Errors
export { SimulateError, type SimulateErrorCode } from "./simulate-error.ts";
