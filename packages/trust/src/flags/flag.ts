import type { Row } from "@while/schema";
import type { Trajectory } from "../trajectory/trajectory.ts";

/** `low` is worth a look; `medium` and above count against the row's marker. */
export type Severity = "low" | "medium" | "high";
export const SEVERITIES: readonly Severity[] = ["low", "medium", "high"];

export type FlagFamily = "lie" | "hack" | "risk";

/** One place where a flag fired. */
export interface FlagHit {
  /** The text that raised it, with what it was found in. */
  evidence: string;
  /** The call it is in; null for the reply. */
  step: number | null;
  severity: Severity;
}

/** What a rollout can be flagged for. One file each: what it means, when it fires, and rows that show both. */
export interface Flag {
  /** `family.word_word`, as it stands on rows. */
  name: string;
  family: FlagFamily;
  /** One sentence: what the agent did when this fires. Used in warnings: "the reward pays for ...". */
  about: string;
  /** Firing is bad, so that the marker is 1 where it did not: higher is better, as for every marker. */
  polarity: "bad";
  /** The marker that it feeds. */
  marker: string;
  /** Where it fires, the first place first. Reads the rollout, changes nothing. */
  check(trajectory: Trajectory): Iterable<FlagHit>;
  /** Rollouts on which it fires, and rollouts that look alike and on which it must not. Three of each at least. */
  examples: { fires: readonly Row[]; holds: readonly Row[] };
}
