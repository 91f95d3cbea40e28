/** How far a run is. */
export interface Progress {
  rows: number;
  /** Rollouts that the plan asks for; under `successive` the most it may come to. */
  cap: number;
  /** Rows that an earlier process had left. */
  resumed: number;
  rerolled: number;
  lost: number;
  lostBy: Readonly<Record<string, number>>;
  inFlight: number;
  /** Tasks of the plan. */
  situations: number;
  elapsedMs: number;
}

/** From how many rows on an estimate says something. */
const MIN_ROWS = 5;

/** One line: rows of the cap, time gone and left, what was tried again and lost. */
export function formatProgress({ rows, cap, situations, elapsedMs, rerolled, lost, lostBy }: Progress): string {
  const elapsed = elapsedMs / 1000;
  const parts = [`${rows}/${cap} rows`, `${situations} tasks`, formatClock(elapsed)];
  const left = timeLeft({ rows, cap, elapsed });
  if (left !== null) parts.push(`about ${left} left`);
  if (rerolled > 0) parts.push(`${rerolled} tried again`);
  if (lost > 0)
    parts.push(
      `${lost} lost (${Object.entries(lostBy)
        .map(([reason, n]) => `${reason} ${n}`)
        .join(", ")})`,
    );
  return parts.join(", ");
}

/** The time left at the pace so far; null before there is a pace. */
export function timeLeft({ rows, cap, elapsed }: { rows: number; cap: number; elapsed: number }): string | null {
  if (rows < MIN_ROWS || rows >= cap) return null;
  const left = (elapsed / rows) * (cap - rows);
  return formatClock(left >= 60 ? Math.floor(left / 60) * 60 : left);
}

/** `45s`, `1m40s`, `2m`, `1h4m`. */
export function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours}h${minutes > 0 ? `${minutes}m` : ""}`;
  if (minutes === 0) return `${rest}s`;
  return `${minutes}m${rest > 0 ? `${rest}s` : ""}`;
}
