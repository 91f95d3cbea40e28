import type { Calibration, PolicyRef } from "../calibration.ts";
import type { Message, Step } from "../row.ts";

/** The situation: what an agent was put into. Holds no rollout, so it can be handed on alone. */
export interface Task {
  taskId: string;
  /** The spec it tests; "" when none. */
  specId: string;
  /** The first ask. */
  prompt: string;
  /** Turns before the ask. Rows keep them among their messages, so `fromRow` leaves it empty. */
  prefix: Message[];
  world: World;
  privileged: Privileged;
  /** Its cell of the coverage grid: the keys of `AXES` that are set. */
  axes: Record<string, unknown>;
  /** Behaviors it tests. */
  behaviors: string[];
  lineage: TaskLineage;
}

/** What surrounds the agent. */
export interface World {
  seed: number | null;
  state: string | null;
  /** The plan of faults by tool. */
  faults: Record<string, unknown>;
  /** Results by tool to imitate. Rows have no key for it. */
  exemplars: Record<string, unknown>;
}

/** What the teacher alone may see. */
export interface Privileged {
  principle: string | null;
  hiddenState: Record<string, unknown>;
  reference: string | null;
  rubric: Record<string, unknown>;
}

/** Which task this one was made from. */
export interface TaskLineage {
  parentTaskId: string | null;
  transform: string | null;
  seed: number | null;
}

/** One episode of one policy in one task. Holds no verdict. */
export interface Rollout {
  rolloutId: string;
  taskId: string;
  policy: PolicyRef;
  /** Which repeat of the task, from 0. */
  index: number;
  steps: Step[];
  finalText: string;
  /** Faults that the world was to inject. */
  ledger: FaultEvent[];
  /** false for an episode that says nothing about the policy, with the reason. */
  usable: boolean;
  unusableReason: string | null;
  extra: RolloutExtra;
}

export interface FaultEvent {
  tool: string;
  mode: string;
  /** Share of calls that fail; null when not said. */
  rate: number | null;
  injected: boolean;
}

/**
 * What a row says beyond the episode, under the row's own names: its messages, its lineage, how it was sampled.
 * `{}` for a rollout that did not come from a row.
 */
export interface RolloutExtra {
  calibration?: Calibration;
  /** Every key that no typed field holds, as it stood on the row, `privileged` among them. */
  passthrough?: Record<string, unknown>;
  origin?: RowOrigin;
  [key: string]: unknown;
}

/** What `toRow` has to know so that the row it writes says no more than the one that was read. */
export interface RowOrigin {
  /** The key that held the task id; `derived` when none did. */
  taskId: "scenario_id" | "task_id" | "derived";
  /** Ids that were made up because the row had none. They are not written while they are still the ones in use. */
  derived: readonly string[];
  /** Keys the row had that could stand elsewhere, or be left out for being the default. */
  given: readonly string[];
  /** The row's own verdict is by a scorer that is called `llm` or `qwen`. */
  isNamesake: boolean;
}

/** What kind of thing gave a verdict. */
export type ScorerKind = "rule" | "judge" | "reward_model" | "human";

export const SCORER_KINDS: readonly ScorerKind[] = Object.freeze(["rule", "judge", "reward_model", "human"] as const);

export interface Scorer {
  name: string;
  kind: ScorerKind;
  version: string | null;
}

/** One verdict on one rollout; a rollout can have many. */
export interface Judgment {
  rolloutId: string;
  scorer: Scorer;
  /** null when the scorer gave none; `status` says why. */
  reward: number | null;
  /** `ok`, `missing_reward`, `invalid_result`, `error` or `timeout`. */
  status: string;
  reason: string;
  failureClass: string | null;
  /** Everything else the scorer said: `judge_meta` of the row. */
  evidence: Record<string, unknown>;
}

/** One measured behavior of one rollout; 1 is good. */
export interface Marker {
  rolloutId: string;
  name: string;
  value: number;
  evidence: Record<string, unknown>;
}

/** Which tasks make up which split. Membership belongs to the set and not to the task. */
export interface Dataset {
  datasetId: string;
  specId: string;
  /** Task ids by the name of the split. */
  splits: ReadonlyMap<string, readonly string[]>;
}

/** A row, taken apart. */
export interface TypedRow {
  task: Task;
  rollout: Rollout;
  judgments: Judgment[];
  markers: Marker[];
}
