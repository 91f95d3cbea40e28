import type { TrackedInfo } from "@while/platform-client/contract";

/** An agent without the schemas of its tools, whose keys are not ours to spell. */
export type AgentReport = Omit<TrackedInfo, "tools" | "system_prompt">;

export function agentReport({ tools: _tools, system_prompt: _prompt, ...report }: TrackedInfo): AgentReport {
  return report;
}
