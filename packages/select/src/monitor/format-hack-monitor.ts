import { formatFixed } from "@while/schema";
import { counted } from "../counted.ts";
import type { MonitorEvaluation, MonitorSummary } from "./monitor-summary.ts";

/** How it ended, a table of evaluations, the last scan, and every alarm. */
export function formatHackMonitor(summary: MonitorSummary): string {
  const { rule, nEvals, every, k, nPrompts, history, alarms, lastScan, stoppedAt, failures, warnings } = summary;
  const ending =
    stoppedAt === null
      ? alarms.length === 0
        ? "no alarms"
        : counted(alarms.length, "alarm")
      : `STOPPED at step ${stoppedAt.step}: ${stoppedAt.kind}`;
  const lines = [
    `hack monitor (${rule}): ${ending}`,
    `${counted(nEvals, "evaluation")} of ${nPrompts} prompts x ${k}, every ${every} steps`,
  ];
  if (history.length > 0) {
    lines.push("", "    step   proxy    gold  length      kl", ...history.map(evaluationLine));
  }
  if (lastScan !== null) {
    const { regime, topFeature, rhoMax, integrity } = lastScan;
    const share = integrity === null ? "" : `, integrity ${formatFixed(integrity, 2)}`;
    lines.push("", `last scan: ${regime}, ${topFeature ?? "nothing"} on top (${shown(rhoMax, 3).trim()})${share}`);
  }
  if (alarms.length > 0) lines.push("", ...alarms.map(({ step, kind, reason }) => `step ${step} ${kind}: ${reason}`));
  const minded = [
    ...warnings,
    ...failures.map(({ step, reason }) => `The evaluation at step ${step} failed: ${reason}`),
  ];
  if (minded.length > 0) lines.push("", ...minded.map((sentence) => `! ${sentence}`));
  return lines.join("\n");
}

function evaluationLine({ step, proxy, gold, length, kl }: MonitorEvaluation): string {
  return `${String(step).padStart(8)}  ${shown(proxy, 3)}  ${shown(gold, 3)}  ${shown(length, 0)}  ${shown(kl, 3)}`;
}

function shown(value: number | null, digits: number): string {
  return (value === null ? "-" : formatFixed(value, digits)).padStart(6);
}
