// An agent, and a model as a parameter
export type { Agent, AgentInfo, AgentReply, RolloutContext } from "./agent/agent.ts";
export type { Model, ModelAnswer, ModelRequest, ModelRole, ModelToolCall, ModelTurn, ModelUse } from "./agent/model.ts";
export type { Fault, FaultPlan } from "./world/fault-plan.ts";

// Errors
export { SimulateError, type SimulateErrorCode } from "./simulate-error.ts";
