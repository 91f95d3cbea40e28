import type { Dataset } from "@while/platform-client/contract";
import { inlineCode } from "../../parts/quoted.ts";
import type { GateReading } from "./gate-reading.ts";
import { warningsForAgent } from "./warnings-for-agent.ts";

/** Sets whose warnings are copied at most: more is not read. */
export const COPIED_SETS = 10;

/** Sets that ask for something: those that did not arrive whole, and those that the gate minds. */
export function setsToMind(sets: readonly Dataset[]): { broken: Dataset[]; warned: Dataset[] } {
  return {
    broken: sets.filter(({ status }) => status === "uploading" || status === "failed"),
    warned: sets.filter(({ status, warnings }) => status === "ready" && (warnings ?? 0) > 0),
  };
}

/** What "copy for agent" copies of the list: what did not arrive, and each warning of the gate with its call. */
export function setsForAgent(
  broken: readonly Dataset[],
  warned: readonly { set: Dataset; gate: GateReading }[],
  more: number,
): string {
  const parts = ["# Datasets\n"];
  if (broken.length > 0) {
    const lines = broken.map(({ name, datasetId, status }) => `- ${inlineCode(name)} (${datasetId}): ${status}`);
    parts.push(`Did not arrive whole; push them again:\n\n${lines.join("\n")}\n`);
  }
  for (const { set, gate } of warned)
    parts.push(warningsForAgent(set, gate).replace(/^#/, "##").replaceAll("\n## ", "\n### "));
  if (more > 0) parts.push(`${more} more sets have warnings.\n`);
  return parts.join("\n");
}
