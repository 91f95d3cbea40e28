import type { TasksReport } from "../tasks/build-tasks.ts";
import type { EnvironmentRuntime } from "./environment-spec.ts";

/** What was written, and whether a grouped trainer learns anything from it. */
export interface EnvironmentReport {
  name: string;
  /** The package's name. */
  slug: string;
  runtime: EnvironmentRuntime;
  /** Where it was written; null where nothing was. */
  path: string | null;
  nTools: number;
  nHarnesses: number;
  maxTurns: number;
  /** `info` is one JSON text, because its keys or types differ from task to task. */
  infoAsText: boolean;
  tasks: TasksReport;
  /** Relative paths of the files. */
  files: readonly string[];
  /** Those of the tasks: what a grouped trainer will not learn from, and what nobody looked at. */
  warnings: TasksReport["warnings"];
}
