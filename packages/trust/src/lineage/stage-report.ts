import { compareCodePoints, normText, type Row, STAGES, stageOf, taskKey } from "@while/schema";

/** How two rows were seen to be of one task: they share an id, or their asks read the same. */
export type SharedBy = "id" | "prompt";

/** A task that was evaluated on and trained on. */
export interface StageLeak {
  /** The id that both sides share, or the prompt. */
  task: string;
  /** The stages that saw it, `eval` among them, in the order of `STAGES`. */
  stages: string[];
  how: SharedBy;
}

/** Which stage of post-training saw which rows, and whether the evaluation still measures what it should. */
export interface StageReport {
  nRows: number;
  /** Rows by stage, unknown stages among them. */
  counts: Map<string, number>;
  nUnstamped: number;
  /** Different tasks by stage. */
  tasksPerStage: Map<string, number>;
  /** Stages that are none of `STAGES`, sorted. They count as training: nobody evaluates on a stage of another name. */
  unknownStages: string[];
  /** Tasks in `eval` and in a stage of training, sorted, the first 50. */
  evalTrainLeaks: string[];
  /** The same, with the stages and what they share. */
  leaks: StageLeak[];
  nLeaks: number;
  /** Tasks of the evaluation that leak by no id, and whose prompt stands in training under another id. */
  nSamePrompt: number;
  warnings: string[];
}

/** Leaks that a report lists; the count has all. */
const SHOWN_LEAKS = 50;

const EVAL = "eval";

interface Task {
  name: string;
  ids: string[];
  ask: string;
}

/**
 * What each stage of post-training saw, and the tasks that were evaluated on and trained on: a score on those is partly
 * memory (Lambert 2025, chapter Training Overview).
 *
 * Two rows are of one task when a `scenario_id` or `task_id` of one is either of the other; where one of them has no id,
 * when their prompts read the same, upper case and blanks aside. The Python SDK compares `scenario_id`, or else the
 * prompt, so that it misses a task that has an id on one side alone. One ask in two worlds is two tasks, so that a
 * prompt under another id is a warning and no leak. A row without id and prompt leaks nowhere.
 *
 * @param rows With stages by `stampStage`, or that say of themselves that they are of an evaluation
 */
export function stageReport(rows: readonly Row[]): StageReport {
  const counts = new Map<string, number>();
  const tasks = new Map<string, Set<string>>();
  let nUnstamped = 0;
  const stagesOfId = new Map<string, Set<string>>();
  const stagesOfAsk = new Map<string, Set<string>>();
  const stagesOfBareAsk = new Map<string, Set<string>>();
  const evaluated = new Map<string, Task>();
  for (const row of rows) {
    const stage = stageOf(row);
    if (stage === null) {
      nUnstamped++;
      continue;
    }
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
    const name = taskKey(row);
    if (name !== "") into(tasks, stage, name);
    const ids = [row.scenario_id, row.task_id].flatMap((id) => (id == null || id === "" ? [] : [String(id)]));
    const ask = typeof row.prompt === "string" ? normText(row.prompt) : "";
    for (const id of ids) into(stagesOfId, id, stage);
    if (ask !== "") into(stagesOfAsk, ask, stage);
    if (ask !== "" && ids.length === 0) into(stagesOfBareAsk, ask, stage);
    if (stage === EVAL && name !== "") evaluated.set(JSON.stringify([ids, ask]), { name, ids, ask });
  }
  const tasksOfEval = [...evaluated.values()];
  const leaks = leaksOf(tasksOfEval, stagesOfId, (ids) => (ids.length === 0 ? stagesOfAsk : stagesOfBareAsk));
  const leaked = new Set(leaks.map(({ task }) => task));
  const alike = tasksOfEval.filter(({ name, ask }) => !leaked.has(name) && trainedOn(stagesOfAsk.get(ask)).length > 0);
  const nSamePrompt = new Set(alike.map(({ name }) => name)).size;
  const unknownStages = [...counts.keys()].filter((stage) => !STAGES.includes(stage)).sort(inOrder);
  return {
    nRows: rows.length,
    counts: ordered(counts),
    nUnstamped,
    tasksPerStage: ordered(new Map([...tasks].map(([stage, names]) => [stage, names.size]))),
    unknownStages,
    evalTrainLeaks: leaks.slice(0, SHOWN_LEAKS).map(({ task }) => task),
    leaks: leaks.slice(0, SHOWN_LEAKS),
    nLeaks: leaks.length,
    nSamePrompt,
    warnings: warningsOf({ leaks, nSamePrompt, nUnstamped, unknownStages }),
  };
}

/** One for each task of the evaluation that a stage of training saw too; by an id where there is one that says so. */
function leaksOf(
  evaluated: readonly Task[],
  stagesOfId: ReadonlyMap<string, ReadonlySet<string>>,
  asksFor: (ids: readonly string[]) => ReadonlyMap<string, ReadonlySet<string>>,
): StageLeak[] {
  const leaks = new Map<string, { stages: Set<string>; how: SharedBy }>();
  for (const { name, ids, ask } of evaluated) {
    const byId = ids.flatMap((id) => trainedOn(stagesOfId.get(id)));
    const byAsk = trainedOn(asksFor(ids).get(ask));
    if (byId.length === 0 && byAsk.length === 0) continue;
    const known = leaks.get(name) ?? { stages: new Set([EVAL]), how: "prompt" };
    for (const stage of [...byId, ...byAsk]) known.stages.add(stage);
    if (byId.length > 0) known.how = "id";
    leaks.set(name, known);
  }
  return [...leaks]
    .map(([task, { stages, how }]) => ({ task, stages: [...stages].sort(inOrder), how }))
    .sort((a, b) => compareCodePoints(a.task, b.task));
}

function trainedOn(stages: ReadonlySet<string> | undefined): string[] {
  return [...(stages ?? [])].filter((stage) => stage !== EVAL);
}

function warningsOf({
  leaks,
  nSamePrompt,
  nUnstamped,
  unknownStages,
}: Pick<StageReport, "leaks" | "nSamePrompt" | "nUnstamped" | "unknownStages">): string[] {
  const warnings: string[] = [];
  if (leaks.length > 0) {
    const byPrompt = leaks.filter(({ how }) => how === "prompt").length;
    const alike = byPrompt === 0 ? "" : `, ${byPrompt} of them by the prompt alone`;
    const tasks = leaks.length === 1 ? "1 task is" : `${leaks.length} tasks are`;
    warnings.push(`${tasks} in eval and in training${alike}: take them out of one of the two, and evaluate again`);
  }
  if (nUnstamped > 0) {
    const rows = nUnstamped === 1 ? "1 row has" : `${nUnstamped} rows have`;
    warnings.push(`${rows} no stage and could not be checked: stamp them (stampStage)`);
  }
  if (nSamePrompt > 0) {
    const tasks =
      nSamePrompt === 1 ? "1 task of eval has its prompt" : `${nSamePrompt} tasks of eval have their prompts`;
    warnings.push(`${tasks} in training under another id: the same task, or the same ask of another one`);
  }
  if (unknownStages.length > 0) {
    warnings.push(`${unknownStages.join(", ")}: no known stage, counted as training; known are ${STAGES.join(", ")}`);
  }
  return warnings;
}

function into(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function ordered(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...counts].sort(([a], [b]) => inOrder(a, b)));
}

/** Known stages in the order of training, others behind them by name. */
function inOrder(a: string, b: string): number {
  const place = (stage: string) => (STAGES.includes(stage) ? STAGES.indexOf(stage) : STAGES.length);
  return place(a) - place(b) || compareCodePoints(a, b);
}
