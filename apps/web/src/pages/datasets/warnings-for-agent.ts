import type { Dataset } from "@while/platform-client/contract";
import { inlineCode, quoted } from "../../parts/quoted.ts";
import type { GateReading } from "./gate-reading.ts";

/** What an agent is told of a set: the gate's verdict, and each warning with the call against it. */
export function warningsForAgent(set: Dataset, gate: GateReading): string {
  const lines = [`# Dataset ${inlineCode(set.name)} (${set.datasetId})`, ""];
  lines.push(
    gate.state === "accepted"
      ? `The publish gate accepts it, with ${gate.warnings} warning${gate.warnings === 1 ? "" : "s"}.`
      : gate.state === "refused"
        ? "The publish gate refuses it."
        : "The publish gate was not run.",
  );
  if (gate.because !== null) lines.push("", quoted(gate.because, "reason"));
  const todo = gate.notes.filter(({ state, call }) => state === "warning" || (state === "open" && call !== null));
  if (todo.length > 0) lines.push("", "## What to do");
  for (const [i, { text, call }] of todo.entries()) {
    lines.push("", `${i + 1}. ${inlineCode(text)}`);
    if (call !== null) lines.push("", "```sh", call, "```");
  }
  return `${lines.join("\n")}\n`;
}
