import { ExportError } from "../export-error.ts";
import { jsonText, newTextCounts } from "../json/json-text.ts";
import { type Source, sourceParts } from "../source.ts";
import { type BuildTasksOptions, buildTasks } from "../tasks/build-tasks.ts";
import type { Task } from "../tasks/task.ts";
import {
  type EnvironmentOptions,
  type EnvironmentSettings,
  environmentSettings,
  toolOf,
} from "./environment-options.ts";
import type { EnvironmentReport } from "./environment-report.ts";
import type { EnvironmentSpec } from "./environment-spec.ts";
import { environmentReadme, PYTHON_ENVIRONMENT, pythonProject } from "./python-environment.ts";

/** The files of an environment, by their path in its folder. */
export interface EnvironmentFiles {
  files: Map<string, string>;
  report: EnvironmentReport;
}

/**
 * The tasks of rollouts as an environment that a grouped trainer samples in: a Python package for `verifiers`, with the
 * tasks of both sides, the agent's rules and tools, and the names of who answers and who grades. The same source is the
 * same bytes.
 *
 * @throws ExportError `no_tools`, `no_train_tasks`, `bad_reference`, `bad_world`, `bad_harness`, `invalid_option`
 */
export function environmentFiles(source: Source, options: EnvironmentOptions): EnvironmentFiles {
  const { rules, tools } = sourceParts(source);
  const settings = environmentSettings(options, { systemPrompt: rules.text, tools });
  const { train, holdout, report: tasks } = buildTasks(source, taskOptions(options));
  if (train.length === 0) {
    throw new ExportError(
      "no_train_tasks",
      `No training task is left of ${tasks.prompts}: ${tasks.bandDropped} lie outside the band, ${tasks.holdout} are held out.`,
      "Widen band, or lower holdout.",
    );
  }
  const infoAsText = !isUniform([...train, ...holdout]);
  const { slug, runtime, maxTurns, harnesses } = settings;
  const names = [
    ...["README.md", "pyproject.toml", `${slug}/__init__.py`, `${slug}/spec.json`],
    ...[`${slug}/data/train.jsonl`, `${slug}/data/holdout.jsonl`],
  ];
  const report: EnvironmentReport = {
    ...{ name: settings.name, slug, runtime, path: null, maxTurns, infoAsText, tasks },
    nTools: settings.tools.length,
    nHarnesses: harnesses.length,
    files: names,
    warnings: tasks.warnings,
  };
  const lines = (of: readonly Task[]) => of.map((task) => `${taskLine(task, infoAsText)}\n`).join("");
  const texts = [
    ...[environmentReadme(settings, report), pythonProject(settings), PYTHON_ENVIRONMENT],
    ...[`${JSON.stringify(specOf(settings), null, 2)}\n`, lines(train), lines(holdout)],
  ];
  return { files: new Map(names.map((name, i) => [name, texts[i]!])), report };
}

function taskOptions(options: EnvironmentOptions): BuildTasksOptions {
  const { holdout, band, bandBy, split, ngram, decontaminate } = options;
  const given = Object.entries({ holdout, band, bandBy, split, ngram, decontaminate });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Whether a column reader gives each `info` back as it was: it pads what one lacks and another has with nulls. */
function isUniform(tasks: readonly Task[]): boolean {
  return new Set(tasks.map(({ info }) => shapeOf(info))).size <= 1;
}

/** Keys and types, through and through. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
  if (typeof value !== "object" || value === null) return typeof value;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${shapeOf(item)}`)
    .join()}}`;
}

function taskLine({ prompt, info, example_id }: Task, infoAsText: boolean): string {
  const text = (value: unknown) => jsonText(value, ", ", newTextCounts());
  return text({ prompt, info: infoAsText ? text(info) : info, example_id });
}

function specOf(settings: EnvironmentSettings): EnvironmentSpec {
  const { name, runtime, systemPrompt, tools, maxTurns, reward, execute, world, harnesses } = settings;
  return {
    ...{ name, runtime, system_prompt: systemPrompt, tools, max_turns: maxTurns, reward, execute },
    ...(world === null ? {} : { world }),
    ...(harnesses.length === 0
      ? {}
      : {
          harnesses: harnesses.map(({ tools: own, ...harness }) => ({
            ...harness,
            ...(own === undefined ? {} : { tools: own.map(toolOf) }),
          })),
        }),
  };
}
