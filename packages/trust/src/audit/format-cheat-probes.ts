import { formatFixed, formatInterval, formatSigned } from "@while/schema";
import type { CheatProbe, CheatReport } from "./cheat-probes.ts";

/** A cheat report as text: what the scorer pays for doing nothing, probe by probe. */
export function formatCheatProbes({
  scorer,
  ok,
  nProbed,
  nCases,
  probes,
  agentScore,
  warnings,
  notes,
}: CheatReport): string {
  const tried = [...probes.values()].some(({ n }) => n > 0);
  const word = ok ? "pays no agent that does nothing" : tried ? "PAYS AN AGENT THAT DOES NOTHING" : "not measured";
  const width = Math.max(0, ...[...probes.keys()].map((name) => name.length));
  return [
    `cheat probes: ${scorer} ${word} (${nProbed} of ${nCases} cases; the agent scores ${formatFixed(agentScore, 2)})`,
    ...[...probes].map(([name, probe]) => `  ${name.padEnd(width)}  ${probeText(probe)}`),
    ...warnings.map(({ text }) => `! ${text}`),
    ...notes.map((note) => `  ${note}`),
  ].join("\n");
}

function probeText({ n, mean, ci95, flagged, vsAgent, answerShare, skipped }: CheatProbe): string {
  if (skipped !== null) return "not tried";
  const parts = [`${formatFixed(mean, 3)} ${formatInterval(ci95, 3)}`, `n=${n}`];
  if (vsAgent !== null) parts.push(`${formatSigned(vsAgent, 3)} against the agent`);
  if (answerShare !== null) parts.push(`the answer of ${formatFixed(answerShare, 2)} of the cases`);
  return `${parts.join(", ")}${flagged ? "  FLAGGED" : ""}`;
}
