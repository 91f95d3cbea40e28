import { cleanFaults, type Row, roundHalfEven, stepsOf, textOf } from "@while/schema";
import { behaviorTier, HARD_TIERS } from "@while/stats";

/** What came back of what was asked for; shares to four digits. */
export interface Delivered {
  rows: number;
  /** Rows with a planned fault; null without rows. */
  faultShare: number | null;
  /** Rows of a hard tier. */
  hardShare: number | null;
  tierMix: Record<string, number>;
  stanceMix: Record<string, number>;
  /** Turns of the person, the first included; to two digits. */
  meanUserTurns: number | null;
}

/** Counts what came back, row by row. */
export class DeliveredTally {
  private rows = 0;
  private faulty = 0;
  private hard = 0;
  private userTurns = 0;
  private readonly tiers = new Map<string, number>();
  private readonly stances = new Map<string, number>();

  add(row: Row): void {
    this.rows++;
    if (cleanFaults(row.faults) !== null) this.faulty++;
    const tier = behaviorTier(row);
    if (HARD_TIERS.has(tier)) this.hard++;
    bump(this.tiers, tier === "unlabelled" ? "ordinary" : tier);
    const stance = textOf(row.stance);
    if (stance !== "") bump(this.stances, stance);
    this.userTurns += 1 + stepsOf(row).filter(({ user }) => textOf(user) !== "").length;
  }

  delivered(): Delivered {
    const { rows } = this;
    const share = (n: number) => (rows === 0 ? null : roundHalfEven(n / rows, 4));
    return {
      rows,
      faultShare: share(this.faulty),
      hardShare: share(this.hard),
      tierMix: descending(this.tiers),
      stanceMix: descending(this.stances),
      meanUserTurns: rows === 0 ? null : roundHalfEven(this.userTurns / rows, 2),
    };
  }
}

export interface Asked {
  faultShare?: number;
  hardShare?: number;
  stances?: readonly string[];
}

/** A share is short when under this part of it came back. */
const SHORT = 0.7;
const NO_FAULTS = 0.01;
const MIN_ROWS = 20;
const HARD_TOLERANCE = 0.1;

/** The knobs that the caller set and that were not met; what is quoted must be what was delivered. */
export function deliveredGaps(asked: Asked, { rows, faultShare, hardShare, stanceMix }: Delivered): string[] {
  const gaps: string[] = [];
  if (asked.faultShare !== undefined && faultShare !== null) {
    const isShort = asked.faultShare > 0 ? faultShare < SHORT * asked.faultShare : faultShare > NO_FAULTS;
    if (isShort) gaps.push("faultShare");
  }
  if (
    asked.hardShare !== undefined &&
    hardShare !== null &&
    rows >= MIN_ROWS &&
    asked.hardShare - hardShare > HARD_TOLERANCE
  ) {
    gaps.push("hardShare");
  }
  if (asked.stances !== undefined && rows > 0) {
    const met = asked.stances.reduce((sum, stance) => sum + (stanceMix[stance] ?? 0), 0);
    if (met / rows < 0.5) gaps.push("stance");
  }
  return gaps;
}

function bump(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function descending(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}
