import { checkOptions, isObject, messagesOf, type Row, type ToolSchema } from "@while/schema";
import { Columns } from "../arrow/columns.ts";
import { newConversionCounts } from "../conversation/conversion-counts.ts";
import { systemPromptFor } from "../conversation/system-prompt.ts";
import { type AgainstEval, EvalFilter } from "../eval-filter.ts";
import { ExportError } from "../export-error.ts";
import type { FormatSpec } from "../formats/format-spec.ts";
import { getFormat, kindUnsupported } from "../formats/registry.ts";
import { jsonText, newTextCounts } from "../json/json-text.ts";
import { checkRows, type Source, type SourceParts, sourceParts } from "../source.ts";
import { invalidOption } from "../training-rows.ts";
import { BUILD_TASKS_OPTIONS, type BuildTasksOptions, checkTasksOptions, tasksOf } from "./build-tasks.ts";
import type { GrpoReport } from "./grpo-report.ts";
import type { GrpoTask, GrpoWriter } from "./grpo-task.ts";
import type { Task } from "./task.ts";
import { TaskTable, taskIdOf } from "./task-table.ts";

export interface GrpoOptions extends BuildTasksOptions {
  /** A consumer of the registry that reads tasks (`trl`). */
  format?: string;
  /** The agent's rules, for every task; "" is none. Default: what the source and the rows know. */
  systemPrompt?: string;
  /** Function schemas for every task; [] is none. Default: each task's own, else the source's. */
  tools?: readonly ToolSchema[];
  /** Which reward function is asked, where the trainer picks one by name (`while`). */
  dataSource?: string;
  /** verl: its column of this name (`agent`). */
  ability?: string;
  /** Put the grader's privileged block into `info_json`, where a reward function can read it. */
  includePrivileged?: boolean;
  /** Leave out rows that an evaluation holds, and count them: `evalMatcher(evaluation)` of `@while/trust`. */
  against?: AgainstEval;
  /** false writes an empty file where no training task is left. */
  validate?: boolean;
}

const GRPO_OPTIONS: readonly string[] = [
  ...BUILD_TASKS_OPTIONS,
  ...["format", "systemPrompt", "tools", "dataSource", "ability", "includePrivileged", "validate"],
  "against",
];

/** The lines of a file of tasks and of the one that is held out, and what `exportGrpo` would say about them. */
export interface GrpoLines {
  lines: string[];
  holdout: string[];
  report: GrpoReport;
}

/** An export of tasks with everything decided. */
export interface GrpoSettings {
  spec: FormatSpec;
  writer: GrpoWriter;
  options: GrpoOptions;
  parts: Pick<SourceParts<unknown>, "rules" | "tools">;
}

/**
 * The tasks of rollouts as grouped trainers read them: the rules and the ask, how often the agent solved it, and what
 * a reward function needs as one JSON text. Groups of one outcome teach nothing (Shao et al. 2024, arXiv:2402.03300; DAPO,
 * arXiv:2503.14476), so tasks outside the band are dropped.
 *
 * @throws ExportError `format_unknown`, `kind_unsupported`, `invalid_option`, `no_train_tasks`
 */
export function grpoLines(source: Source, options: GrpoOptions = {}): GrpoLines {
  const parts = sourceParts<Iterable<Row>>(source);
  checkRows(parts.rows);
  const settings = grpoSettings(options, parts);
  const run = new GrpoRun(settings);
  for (const row of parts.rows) run.add(row);
  const { lines, holdout, report } = run.finish();
  return { lines, holdout, report };
}

/** Everything that can be checked before a row is read. @throws ExportError */
export function grpoSettings(options: GrpoOptions, parts: GrpoSettings["parts"]): GrpoSettings {
  checkOptions(options, GRPO_OPTIONS, invalidOption);
  const spec = getFormat(options.format ?? "trl");
  if (spec.grpo === undefined) throw kindUnsupported(spec, "grpo");
  checkTasksOptions(taskOptions(options));
  new EvalFilter(options.against);
  for (const name of ["dataSource", "ability"] as const) {
    const given: unknown = options[name];
    if (given === undefined || (typeof given === "string" && given !== "")) continue;
    throw invalidOption(`${name} is ${JSON.stringify(given)}.`, "Give a text, or leave it out.");
  }
  return { spec, writer: spec.grpo, options, parts };
}

/** Rollouts that come one at a time; memory grows with tasks. */
export class GrpoRun {
  readonly settings: GrpoSettings;
  readonly #table = new TaskTable();
  readonly #evaluation: EvalFilter;

  constructor(settings: GrpoSettings) {
    this.settings = settings;
    this.#evaluation = new EvalFilter(settings.options.against);
  }

  add(row: Row): void {
    if (!this.#evaluation.has(row)) this.#table.add(row);
  }

  /** The lines of both sides, with the types of their columns. @throws ExportError `no_train_tasks` */
  finish(): GrpoLines & { columns: Map<string, string> } {
    const file = grpoFile(this.#table, this.settings);
    const contaminated = this.#evaluation.report();
    return contaminated === null ? file : { ...file, report: { ...file.report, contaminated } };
  }
}

function grpoFile(table: TaskTable, settings: GrpoSettings): GrpoLines & { columns: Map<string, string> } {
  const { spec, writer, options } = settings;
  const tasks = tasksOf(table, taskOptions(options));
  if (tasks.train.length === 0 && options.validate !== false) throw noTrainTasks(tasks.report);
  const firsts = new Map(table.groups.map((group) => [taskIdOf(group), group]));
  const columns = new Columns("columns", spec.columns, ["pass_rate"]);
  const written = (list: readonly Task[]) =>
    list.map((task, index) => {
      const { first, rewards } = firsts.get(task.example_id)!;
      const row = grpoTask(task, { first, nRollouts: rewards.length, index, settings });
      const shaped = writer.write(row);
      columns.add(shaped);
      return { row, shaped };
    });
  const [train, holdout] = [written(tasks.train), written(tasks.holdout)];
  const counts = newTextCounts();
  const line = ({ shaped }: { shaped: Record<string, unknown> }) => columns.line(shaped, counts);
  const all = [...train, ...holdout];
  const report: GrpoReport = {
    kind: "grpo",
    n: train.length,
    nHoldout: holdout.length,
    format: spec.name,
    path: null,
    sha256: null,
    bytes: null,
    holdoutPath: null,
    withSystem: all.filter(({ row }) => row.prompt[0]?.role === "system").length,
    withTools: all.filter(({ row }) => row.tools !== undefined).length,
    tasks: tasks.report,
    requires: writer.requires ?? [],
    warnings: [...tasks.report.warnings, ...consumerWarnings(settings, holdout.length)],
  };
  return { lines: train.map(line), holdout: holdout.map(line), report, columns: columns.types() };
}

function taskOptions({
  format,
  systemPrompt,
  tools,
  dataSource,
  ability,
  includePrivileged,
  validate,
  against,
  ...options
}: GrpoOptions): BuildTasksOptions {
  return options;
}

function grpoTask(
  { prompt, info, example_id: taskId }: Task,
  { first, nRollouts, index, settings }: { first: Row; nRollouts: number; index: number; settings: GrpoSettings },
): GrpoTask {
  const { options, parts } = settings;
  const { task_id, scenario_id, split, calibration, privileged, ...rest } = info;
  const told = options.includePrivileged === true && privileged !== undefined ? { ...rest, privileged } : rest;
  const rules = rulesFor(first, settings);
  const tools = options.tools ?? first.tools ?? parts.tools ?? [];
  return {
    prompt: [
      ...(rules === "" ? [] : [{ role: "system" as const, content: rules }]),
      { role: "user" as const, content: prompt },
    ],
    ask: prompt,
    taskId,
    scenarioId: scenario_id ?? "",
    passRate: calibration?.pass_rate ?? null,
    nRollouts: calibration === undefined ? 0 : nRollouts,
    infoJson: jsonText(told, ", ", newTextCounts()),
    split,
    index,
    ...(tools.length === 0 ? {} : { tools }),
    dataSource: options.dataSource ?? "while",
    ability: options.ability ?? "agent",
  };
}

/** The rules of a task: those given or known, else those that its first rollout begins with. */
function rulesFor(first: Row, { options, parts }: GrpoSettings): string {
  const [opening] = messagesOf(first);
  const own = isObject(opening) && (opening.role === "system" || opening.role === "developer") ? opening.content : null;
  const known = systemPromptFor(first, {
    given: options.systemPrompt,
    rules: parts.rules,
    hasOwn: own !== null,
    counts: newConversionCounts(),
  });
  return known ?? (typeof own === "string" ? own : "");
}

function consumerWarnings({ spec, writer }: GrpoSettings, nHoldout: number): GrpoReport["warnings"] {
  if (writer.needsHoldout !== true || nHoldout > 0) return [];
  return [
    {
      code: "holdout_required",
      text: `${spec.name} wants a second file to validate on, and no task is held out: give a holdout.`,
    },
  ];
}

function noTrainTasks({ prompts, band, bandDropped, holdout }: GrpoReport["tasks"]): ExportError {
  const what =
    prompts === 0
      ? "The source has no row with a prompt."
      : `No task of ${prompts} is left to train on: the band took ${bandDropped}, ${holdout} are held out.`;
  return new ExportError(
    "no_train_tasks",
    what,
    band === null ? "Hold out fewer." : 'Widen band, or bandBy: "interval", or hold out fewer.',
    { data: { prompts, bandDropped, holdout } },
  );
}
