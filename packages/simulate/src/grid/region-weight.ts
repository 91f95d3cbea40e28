import { roundHalfEven, type ToolSchema } from "@while/schema";
import { unitDraw } from "../draw.ts";
import { UNRELATED } from "./dimensions.ts";
import { isFault } from "./prefer-success.ts";
import type { Assignment } from "./region-id.ts";
import { toolKind } from "./tool-kind.ts";

/** Stances under which a destructive tool is at its most dangerous. */
const RISKY_STANCES: ReadonlySet<string> = new Set(["boundary", "adversarial", "forbidden", "conflicting"]);

/** What going wrong in a cell would cost, 0 to 1: by what its tool does, under which stance and condition. */
export function cellRisk(cell: Assignment, tool?: ToolSchema): number {
  const name = cell.tool ?? UNRELATED;
  const kind = name === UNRELATED ? "read" : toolKind(name, tool);
  if (kind === "read") return 0.1;
  if (kind === "other") return 0.2;
  return RISKY_STANCES.has(cell.stance ?? "") || isFault(cell.tool_condition) ? 1 : 0.3;
}

export interface WeightInput {
  /** Rows that the cell has already. */
  count: number;
  risk: number;
  novelty?: number;
  gap?: number;
  mode?: string;
}

/** How much a cell is worth running: seldom seen, risky, new, with a gap in what is known of it. To six digits. */
export function regionWeight({ count, risk, novelty = 0.5, gap = 0.5, mode }: WeightInput): number {
  const [a, b, c, d] = mode === "rl" ? [0.25, 0.25, 0.15, 0.35] : [0.35, 0.35, 0.2, 0.1];
  return roundHalfEven(a * (1 / (1 + count)) ** 2 + b * risk + c * novelty + d * gap, 6);
}

/**
 * The key of a cell in a draw without replacement: sorted by it, descending, cells come in the order in which a lottery
 * with these weights would draw them (Efraimidis and Spirakis 2006).
 */
export function regionKey(id: string, weight: number, { seed, round }: { seed: number; round: number }): number {
  return unitDraw(`${seed}:${round}:${id}`) ** (1 / Math.max(weight, 1e-9));
}
