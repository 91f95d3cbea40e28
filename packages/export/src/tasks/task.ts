/** One situation to train or evaluate on, as environment packages and GRPO rows hold it. Keys are spelled as in files. */
export interface Task {
  prompt: string;
  info: TaskInfo;
  /** First 12 hex digits of the SHA-1 of scenario, line break and prompt; `info.task_id` is the same. */
  example_id: string;
}

export type Split = "train" | "holdout";

/** What a world and a grader know of the task. */
export interface TaskInfo {
  task_id: string;
  scenario_id: string | null;
  seed: number | null;
  world_state: unknown;
  faults: unknown;
  split: Split;
  /** What only the grader may see. */
  privileged?: Record<string, unknown>;
  calibration?: TaskCalibration;
  [key: string]: unknown;
}

/** How often the agent solved it, over two graded rollouts or more. */
export interface TaskCalibration {
  /** To 4 decimals. */
  pass_rate: number;
  n: number;
}
