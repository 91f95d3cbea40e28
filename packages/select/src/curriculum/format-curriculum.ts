import { formatFixed } from "@while/schema";
import { counted } from "../counted.ts";
import type { Curriculum } from "./curriculum.ts";

/** Tasks in doubt that are named. */
const NAMED = 5;

/** A line of counts, then a line a tier; last, what more rollouts would decide. */
export function formatCurriculum(report: Curriculum): string {
  const { nTasks, nTrainable, nInBand, nSolved, nNotReady, nThin, nUnlabeled, tiers, needsRollouts } = report;
  const lines = [
    `tasks ${nTasks}  trainable ${nTrainable} (in band ${nInBand})  retired ${nSolved}  ` +
      `not ready ${nNotReady}  thin ${nThin}`,
  ];
  for (const [i, tier] of tiers.entries()) {
    if (tier.length === 0) continue;
    const [from, to] = [tier[0]!, tier.at(-1)!].map(({ passRate }) => formatFixed(passRate, 2));
    lines.push(`  tier ${i + 1}: ${counted(tier.length, "task")}, pass ${from} -> ${to}`);
  }
  if (nUnlabeled > 0) lines.push(`  ${counted(nUnlabeled, "task")} without a 0/1 reward, not placed`);
  if (needsRollouts.length > 0) {
    const named = needsRollouts
      .slice(0, NAMED)
      .map(({ taskId, more }) => `${taskId} ${more === null ? "(over 64)" : `(${more})`}`);
    const rest = needsRollouts.length > NAMED ? ", ..." : "";
    lines.push(
      `  in doubt ${needsRollouts.length}, and the rollouts likely to settle each: ${named.join(", ")}${rest}`,
    );
  }
  return lines.join("\n");
}
