import { formatFixed } from "@while/schema";
import type { Verdict } from "../contract/verdict.ts";
import { formatDelta, formatPoints, formatSignificant } from "./number-format.ts";

/** The line that a person reads before Promote, the same on a page, in a terminal and in an answer of the server. */
export function formatVerdict(verdict: Omit<Verdict, "text">): string {
  const { kind, behavior, replicated, replicatedSeeds, regressions, compared, regressionsClear, rests, gaps } = verdict;
  const claims = kind === "beats" || kind === "trails";
  let line = `${behavior ?? "?"}: ${headOf(verdict)}`;
  const seeds = (replicatedSeeds ?? []).map((seed) => `seed ${seed}`);
  const again = [...replicated, ...seeds];
  if (kind === "beats" && again.length > 0) line += `; moved, replicated on ${again.join(", ")}`;
  if (regressions > 0) {
    const clear = regressionsClear.length === 0 ? "none beyond chance" : `beyond chance ${regressionsClear.join(", ")}`;
    line += `; ${regressions} of ${compared} other ${noun(compared)} lower as a point estimate, ${clear}`;
  }
  if (rests.length > 0) line += `; ${rests.join(", ")}`;
  if (!claims || gaps.length === 0) return line;
  return `unproven: ${line} [${gaps.join("; ")}]`;
}

function headOf(verdict: Omit<Verdict, "text">): string {
  const { kind, candidate, serving, delta, halfWidth, noiseFloor, candidateTest, servedTest } = verdict;
  const gap = delta === null ? "" : formatDelta(delta);
  const floor = noiseFloor === null ? "" : formatSignificant(noiseFloor);
  switch (kind) {
    case "serving_only":
      return `${serving} serves, and nothing newer is scored`;
    case "no_score":
      return `no candidate is scored against ${serving ?? "a served version"}`;
    case "same_version":
      return `${candidate} is the served version: nothing to compare`;
    case "not_comparable":
      return `${candidate} was scored on ${candidateTest} and ${serving} on ${servedTest}: not comparable`;
    case "no_interval":
      return `${candidate} ${gap} against ${serving}: an interval is missing, so not a result; pass ci on both`;
    case "about_same":
      return `${candidate} is about the same as ${serving}, ${gap} ± ${formatPoints(halfWidth!)} points includes zero`;
    case "inside_floor":
      return `${candidate} ${gap} against ${serving}: the interval excludes zero, but inside the re-run band of ${floor}, so not a result`;
    default: {
      const size = formatSignificant(Math.abs(delta!));
      const cleared = noiseFloor === null ? "no noise floor declared" : `clears the noise floor of ${floor}`;
      return `${candidate} ${kind} ${serving} by ${size} ± ${formatFixed(halfWidth, 1)} points, the interval excludes zero, ${cleared}`;
    }
  }
}

function noun(n: number): string {
  return n === 1 ? "behavior" : "behaviors";
}
