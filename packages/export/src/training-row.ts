import type { Lineage, ToolSchema } from "@while/schema";

export type WireRole = "system" | "user" | "assistant" | "tool";

/** A tool call as trainers read it. `A` is a string of JSON in API-shaped rows and an object in TRL-shaped ones. */
export interface WireCall<A = string> {
  id: string;
  type: "function";
  function: { name: string; arguments: A };
}

/** One message as trainers read it. Keys without a value are absent: to a chat template null is not absent. */
export interface WireMessage<A = string> {
  role: WireRole;
  content: string;
  tool_calls?: WireCall<A>[];
  /** Of a tool message: which tool answered. */
  name?: string;
  /** Of a tool message: which call it answers. */
  tool_call_id?: string;
}

/**
 * A conversation with the agent's own rules and tool schemas put back, the loss mask beside it, and what is known
 * about the row. Keys are spelled as files spell them.
 */
export interface TrainingRow {
  messages: WireMessage[];
  /** One 0 or 1 a message: 1 where the loss is taken. */
  loss_mask: (0 | 1)[];
  tools?: readonly ToolSchema[];
  reward?: number;
  prompt?: string;
  lineage?: Lineage;
  /** Which rollouts of the source belong together, as a hash of the task key; absent when no task repeats. */
  group_id?: string;
  /** Rows of the group, graded or not. */
  k?: number;
  /** Rewards under and over 0.5; one of exactly 0.5 counts in neither. */
  n0?: number;
  n1?: number;
  reward_mean?: number | null;
  /** Population standard deviation, which GRPO divides by (Shao et al. 2024, arXiv:2402.03300). */
  reward_std?: number | null;
  /** This row is one assistant turn of a longer conversation; both 1-based. */
  unroll?: { turn: number; turns: number };
  /** Tool messages cut by `maxToolOutputChars`, and the code points cut. */
  tool_output_truncated?: number;
  tool_output_chars_cut?: number;
  schema_version: "1";
  [key: string]: unknown;
}
