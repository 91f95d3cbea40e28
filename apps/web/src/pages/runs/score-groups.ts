import type { RunRow, SeedPool, VersionScore } from "@while/platform-client/contract";
import { halfInterval } from "@while/platform-client/rules";

/** What versions may be put together by. */
const GROUPS = ["version", "prompt", "model", "method"] as const;
export type GroupBy = (typeof GROUPS)[number];

/** A version's score as it is drawn. */
export interface ScorePoint {
  version: string;
  score: number;
  /** Half of its 95% interval; null when none was posted. */
  half: number | null;
  n: number | null;
  test: string | null;
  method: string | null;
  at: string | null;
  run: string | null;
  /** What several seeds of the version say together. */
  pooled: SeedPool | null;
  /** What it is put under; the empty text where all stand together. */
  group: string;
  /** Scored on another test than the one that is read now: hollow, and not joined. */
  otherTest: boolean;
}

export interface ScorePointsInput {
  /** By time. */
  versions: readonly (VersionScore & { at?: string | null })[];
  runs: readonly RunRow[];
  /** Test of the behavior, else of the served version, else of the newest. */
  test: string | null;
  by: GroupBy;
}

/** Ends of a score's interval as they are drawn: no rate lies outside 0 and 100, whatever half of its interval says. */
export function endsOf({ score, half }: Pick<ScorePoint, "score" | "half">): [low: number, high: number] | null {
  if (half === null) return null;
  const inside = score >= 0 && score <= 100;
  return inside ? [Math.max(0, score - half), Math.min(100, score + half)] : [score - half, score + half];
}

/** The scores of one behavior in the order they are drawn: by group as it first appears, then by time. */
export function scorePoints({ versions, runs, test, by }: ScorePointsInput): ScorePoint[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const points = versions.map((score): ScorePoint => {
    const run = byId.get(score.run ?? "");
    return {
      ...{ version: score.v, score: score.score, half: halfInterval(score), n: score.n ?? null },
      ...{ test: score.testVersion ?? null, run: score.run ?? null, method: run?.method ?? null },
      ...{ at: score.at ?? run?.createdAt ?? null, pooled: score.pooled ?? null },
      group: by === "version" ? "" : groupOf(run, by),
      otherTest: Boolean(test && score.testVersion && score.testVersion !== test),
    };
  });
  const order = [...new Set(points.map(({ group }) => group))];
  return points
    .map((point, place) => ({ point, place }))
    .sort((a, b) => order.indexOf(a.point.group) - order.indexOf(b.point.group) || a.place - b.place)
    .map(({ point }) => point);
}

/** The prompt and the model of a run are pinned, or stand in the label of its harness as `prompt@model`. */
function groupOf(run: RunRow | undefined, by: Exclude<GroupBy, "version">): string {
  if (by === "method") return run?.method || "no method";
  const pinned = run?.record?.provenance?.pins?.[by];
  if (pinned) return pinned;
  const [prompt, model] = (run?.harness ?? "").split("@");
  return (by === "prompt" ? prompt : model) || `no ${by}`;
}

/** The points that fit, the newest first of all; the served version and the candidate are always among them. */
export function fitting(points: readonly ScorePoint[], most: number, always: readonly (string | null)[]): ScorePoint[] {
  if (points.length <= most) return [...points];
  const kept = new Set(points.filter(({ version }) => always.includes(version)));
  const newest = points.toSorted((a, b) => (b.at ?? "").localeCompare(a.at ?? ""));
  for (const point of newest) if (kept.size < most) kept.add(point);
  return points.filter((point) => kept.has(point));
}
