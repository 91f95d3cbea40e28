import type { Row, ToolSchema } from "./row.ts";

/**
 * Rows and what the rows themselves do not hold: a run, scored rows and a selection all satisfy it, so that a
 * function which wants more than the rows reads this one small shape.
 */
export interface RowSource {
  rows: readonly Row[];
  /** What the rows were made for, e.g. `rl` or `sft`. */
  mode?: string;
  /** The agent's rules, put back in front of every conversation. */
  systemPrompt?: string;
  /** Rules by the sha that `lineage.system_prompt_sha` names, where the rows came from more than one policy. */
  systemPrompts?: ReadonlyMap<string, string>;
  tools?: readonly ToolSchema[];
}
