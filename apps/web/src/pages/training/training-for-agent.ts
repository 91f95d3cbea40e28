import type { RunDetail } from "@while/platform-client/contract";
import { inlineCode, quoted } from "../../parts/quoted.ts";
import { type TrainingState, trainingLead } from "./training-lead.ts";

/** What an agent is told of a run: how it stands, what went wrong, and every alarm with its evidence. */
export function trainingForAgent(
  run: Pick<RunDetail, "id" | "name" | "version" | "error">,
  state: TrainingState,
): string {
  const lines = [`# Training run ${inlineCode(run.name ?? run.version)} (${run.id})`, "", trainingLead(state)];
  if (run.error != null && run.error !== "") lines.push("", quoted(run.error, "error"));
  if (state.alarms.length > 0) lines.push("", "## Alarms");
  for (const { step, kind, since, reason } of state.alarms) {
    const against = since === null ? "" : `, against step ${since}`;
    lines.push("", `- step ${step}: ${inlineCode(kind)}${against}`);
    if (reason !== null) lines.push("", quoted(reason, "evidence"));
  }
  const minded = state.monitor?.minded ?? [];
  if (minded.length > 0)
    lines.push("", "## What the monitor could not see", ...minded.map((said) => `\n- ${inlineCode(said)}`));
  return `${lines.join("\n")}\n`;
}
