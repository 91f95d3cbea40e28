// Running an agent over tasks
export { RunFailedError, simulate } from "./engine/simulate.ts";
export type { SimulationData } from "./engine/simulate.ts";
export { RolloutStream, streamRollouts } from "./engine/stream-rollouts.ts";
export type { Grader, RowVerdict, SimulateOptions } from "./engine/simulate-options.ts";
export { formatPlan, planSimulation } from "./engine/plan-simulation.ts";
export type { SimulationPlan } from "./engine/plan-simulation.ts";
export type { Arm, ArmWeights } from "./search/arms.ts";
export type { AimCount, CurvePoint, SearchReport } from "./search/search-report.ts";
export { formatSimulation } from "./engine/format-simulation.ts";
export type { GradingCounts, RoleUsage, RunEnd, SimulationReport, ToolCount } from "./engine/simulation-report.ts";
export type { StopWord } from "./engine/stop-word.ts";
export type { Delivered } from "./engine/delivered.ts";
export { formatProgress } from "./engine/progress.ts";
export type { Progress } from "./engine/progress.ts";

// Tasks, and how rollouts are handed out
export { pinnedTasks } from "./engine/pinned-tasks.ts";
export type { PinnedTasks } from "./engine/pinned-tasks.ts";
export type { PlannedTask } from "./engine/task.ts";
export { MODES, REPEAT_POLICIES } from "./engine/topology.ts";
export type { Mode, RepeatPolicy } from "./engine/topology.ts";
export type { AdaptiveCounts } from "./engine/allocate-adaptive.ts";
export type { GroupCounts } from "./engine/allocate-successive.ts";

// What a task expects of a rollout
export { expectationVerdict } from "./expectations/expectation.ts";
export type { Expectation, ExpectationVerdict } from "./expectations/expectation.ts";
export { recordExpectations } from "./expectations/record-expectations.ts";

// Several setups of an agent on the same asks
export { harnessSweep } from "./sweep/harness-sweep.ts";
export type { SweepOptions } from "./sweep/harness-sweep.ts";
export type { SweepVariant } from "./sweep/check-variants.ts";
export { formatSweep } from "./sweep/format-sweep.ts";
export { sweepClears } from "./sweep/sweep-report.ts";
export type { SweepReport, SweepScored, SweptVariant } from "./sweep/sweep-report.ts";
export type {
  JudgeLabels,
  SweepBehavior,
  SweepExample,
  SweepRun,
  SweepRunSpec,
  SweepScore,
  SweepSink,
} from "./sweep/sweep-sink.ts";

// Which knob carries the difference
export { attributeHarness } from "./attribute/attribute-harness.ts";
export type { AttributedCell, AttributeOptions, HarnessAttribution } from "./attribute/attribute-harness.ts";
export { formatAttribution } from "./attribute/format-attribution.ts";

// An agent, and a model as a parameter
export type { Agent, AgentInfo, AgentReply, RolloutContext } from "./agent/agent.ts";
export type { Model, ModelAnswer, ModelRequest, ModelRole, ModelToolCall, ModelTurn, ModelUse } from "./agent/model.ts";
export { joinUserTurns, splitUserTurns } from "./agent/user-turns.ts";
export { endpointAgent } from "./endpoint/endpoint-agent.ts";
export type { EndpointAgent, EndpointAgentOptions } from "./endpoint/endpoint-agent.ts";
export { endpointModel } from "./endpoint/endpoint-model.ts";
export type { EndpointModel } from "./endpoint/endpoint-model.ts";
export type { EndpointOptions } from "./endpoint/endpoint-options.ts";
export type { EndpointReport } from "./endpoint/endpoint-report.ts";
export { parseEndpoint } from "./endpoint/parse-endpoint.ts";
export type { EndpointAddress, EndpointApi } from "./endpoint/parse-endpoint.ts";
export type { CallTimeouts } from "./endpoint/exchange.ts";
export { parsePriceBook } from "./endpoint/model-price.ts";
export type { ModelPrice, PriceBook } from "./endpoint/model-price.ts";
export type { EndpointFacts } from "./endpoint/endpoint-facts.ts";
export type { CompletionCache } from "./endpoint/completion-cache.ts";
export { conversationAgent } from "./conversation/conversation-agent.ts";
export type { ConversationOptions } from "./conversation/conversation-agent.ts";
// An agent of a framework: its own tools, its own loop
export { fromAiSdk } from "./adapters/from-ai-sdk.ts";
export type { AiSdkAgent, AiSdkResult } from "./adapters/from-ai-sdk.ts";
export { fromLangChain } from "./adapters/from-langchain.ts";
export type { LangChainAgent } from "./adapters/from-langchain.ts";
export { fromMastra } from "./adapters/from-mastra.ts";
export type { MastraAgent, MastraResult } from "./adapters/from-mastra.ts";
export { fromOpenAiAgents } from "./adapters/from-openai-agents.ts";
export type { OpenAiAgentsResult } from "./adapters/from-openai-agents.ts";

// The person who asks
export { SimulatedUser } from "./user/simulated-user.ts";
export type { NextLine, SimulatedUserOptions, UserScene } from "./user/simulated-user.ts";
export { anyLine, englishLineGate } from "./user/user-line-gate.ts";
export type { UserLineContext, UserLineGate } from "./user/user-line-gate.ts";
export type { Patience } from "./user/follow-up.ts";

// Spans
export type { SpanAttribute, Tracer, TraceSpan, Tracing } from "./tracing/tracer.ts";

// An agent whose faults are known
export { seededAgent } from "./seeded/seeded-agent.ts";
export type { SeededAgentOptions } from "./seeded/seeded-agent.ts";
export { MISBEHAVIOURS } from "./seeded/misbehaviours.ts";
export type { Misbehaviour, MisbehaviourName } from "./seeded/misbehaviours.ts";

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

// Words for situations
export { templateWriter } from "./writers/template-writer.ts";
export { modelWriter } from "./writers/model-writer.ts";
export type { ModelWriterOptions } from "./writers/model-writer.ts";
export type { Card, Writer, WriterContext, Written, WrittenCards } from "./writers/writer.ts";

// The world: tools, and how they fail
export { tool, toolSchemas, wireTool } from "./world/tool-schemas.ts";
export type { RolloutPlace, SimTool, ToolDefinition, ToolSchemas } from "./world/tool-schemas.ts";
export { MockWorld } from "./world/mock-world.ts";
export type { Entity, MockWorldOptions, WorldEffect, WorldSnapshot } from "./world/mock-world.ts";
export type { AskPerson, Execute } from "./world/rollout-world.ts";
export type { Fault, FaultPlan } from "./world/fault-plan.ts";
export { FAULT_MODES } from "./world/fault-modes.ts";
export type { FaultMode } from "./world/fault-modes.ts";

// Where a run is written down
export type { AttemptRecord, Journal, Landed, RunIdentity } from "./engine/journal.ts";
export type { Spent } from "./engine/spent.ts";

// Errors
export { SimulateError, type SimulateErrorCode } from "./simulate-error.ts";
