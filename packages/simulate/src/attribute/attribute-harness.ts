import { checkOptions, compareCodePoints, isObject, type Row, textOf } from "@while/schema";
import {
  BOOTSTRAP_DRAWS,
  CI_LEVEL,
  type Interval,
  MersenneTwister,
  type Metric,
  MIN_CI_TASKS,
  percentileIndices,
  taskMeans,
} from "@while/stats";
import { SimulateError } from "../simulate-error.ts";

export interface AttributeOptions {
  metric?: Metric;
  /** Resamples of the tasks. */
  nBoot?: number;
  seed?: number;
  /** Confidence of the intervals. */
  level?: number;
}

/** One setup of the grid: a harness with a model. */
export interface AttributedCell {
  harness: string;
  model: string;
  /** Over the shared tasks, of each task's mean. */
  mean: number;
  nRows: number;
}

/** How much of what the scores differ by is the harness's, and how much the model's. */
export interface HarnessAttribution {
  metric: Metric;
  /** Which share is above the other one, by an interval that leaves 0 out. */
  verdict: "harness" | "model" | "unresolved";
  harnesses: string[];
  models: string[];
  cells: AttributedCell[];
  /** Tasks that every cell has. */
  nTasks: number;
  /** Shares of the sum of squares between cells; all 0 where no cell differs. */
  shareHarness: number;
  shareModel: number;
  /** What neither alone accounts for: a harness that helps one model and not the other. */
  shareInteraction: number;
  /** Percentile bootstrap over tasks; null under three of them. */
  shareHarnessCi95: Interval | null;
  shareModelCi95: Interval | null;
  /** Harness minus model. */
  shareDifferenceCi95: Interval | null;
  /** Best minus worst mean effect, in points of 100. */
  spreadHarnessPts: number;
  spreadModelPts: number;
  /** Which model scores best hangs on the harness. */
  rankingReversal: boolean;
  notes: string[];
}

/**
 * Which knob carries the difference: the harness (prompt, tools, loop) or the model? Takes rows of a full grid, every
 * harness with every model on the same tasks, and splits the variance between the cells into the two main effects and
 * their interaction. Tasks that some cell lacks are left out, so that all cells answer the same questions.
 *
 * A row says its setup in `harness`: the level of the harness is its label up to the first `@` (`rules@gpt` and
 * `rules@haiku` are one harness), that of the model `harness.model`. Intervals are over tasks, with one resample for all
 * cells, since the cells share the tasks (Miller 2024, arXiv:2411.00640). With shares as bounded as these, an interval
 * that ends at 0 or 1 is read with care.
 *
 * @throws SimulateError `bad_option`; `bad_grid` without stamped rows, with one level on an axis, with a missing cell, or
 * without a shared task; StatsError `bad_metric`, `bad_level`, `bad_count`, `bad_seed`
 */
export function attributeHarness(rows: readonly Row[], options: AttributeOptions = {}): HarnessAttribution {
  checkOptions(options, OPTIONS, (what, fix) => new SimulateError("bad_option", what, fix));
  const { metric = "pass_at_1", nBoot = BOOTSTRAP_DRAWS, seed = 0, level = CI_LEVEL } = options;
  const grid = gridOf(rows, metric);
  const { harnesses, models, means, tasks, notes } = grid;
  const all = tasks.map((_, task) => task);
  const split = splitOf(cellMeans(means, all), harnesses.length, models.length);
  const drawn = drawnShares(grid, { nBoot, seed, level });
  const difference = drawn?.difference ?? null;
  const cells = harnesses.flatMap((harness, h) =>
    models.map((model, m) => {
      const at = h * models.length + m;
      return { harness, model, mean: split.means[at]!, nRows: grid.nRows[at]! };
    }),
  );
  return {
    metric,
    verdict:
      difference === null || !(difference[0] > 0 || difference[1] < 0)
        ? "unresolved"
        : difference[0] > 0
          ? "harness"
          : "model",
    ...{ harnesses, models, cells, nTasks: tasks.length },
    ...{ shareHarness: split.harness, shareModel: split.model, shareInteraction: split.interaction },
    ...{
      shareHarnessCi95: drawn?.harness ?? null,
      shareModelCi95: drawn?.model ?? null,
      shareDifferenceCi95: difference,
    },
    ...{ spreadHarnessPts: split.spreadHarness * 100, spreadModelPts: split.spreadModel * 100 },
    rankingReversal: isReversed(split.means, models.length),
    notes,
  };
}

const OPTIONS = ["metric", "nBoot", "seed", "level"];
/** Effects smaller than this are sums of the same numbers in another order. */
const SLACK = 1e-12;

interface Grid {
  harnesses: string[];
  models: string[];
  tasks: string[];
  /** By cell (harness after harness), by task. */
  means: Float64Array[];
  nRows: number[];
  notes: string[];
}

function gridOf(rows: readonly Row[], metric: Metric): Grid {
  const refuse = (what: string, fix: string) => new SimulateError("bad_grid", what, fix);
  const byCell = new Map<string, Row[]>();
  const [harnessNames, modelNames] = [new Set<string>(), new Set<string>()];
  let nUnstamped = 0;
  for (const row of rows) {
    const own = isObject(row.harness) ? row.harness : {};
    const [harness, model] = [textOf(own.label).split("@")[0]!, textOf(own.model)];
    if (harness === "" || model === "") {
      nUnstamped += 1;
      continue;
    }
    harnessNames.add(harness);
    modelNames.add(model);
    const key = JSON.stringify([harness, model]);
    byCell.set(key, [...(byCell.get(key) ?? []), row]);
  }
  const [harnesses, models] = [[...harnessNames].sort(compareCodePoints), [...modelNames].sort(compareCodePoints)];
  if (harnesses.length === 0) {
    const fix = "Roll out with harnessSweep, or put harness: { label, model } on every row.";
    throw refuse(`None of ${rows.length} rows says its harness and model.`, fix);
  }
  for (const [what, levels] of [
    ["harness", harnesses],
    ["model", models],
  ] as const) {
    if (levels.length < 2) {
      const fix = "Roll out every harness with every model, two or more of each; a label is HARNESS@MODEL.";
      throw refuse(`There is one ${what}, ${levels[0]}.`, fix);
    }
  }
  const perCell = harnesses.flatMap((harness) =>
    models.map((model) => {
      const own = byCell.get(JSON.stringify([harness, model]));
      if (own === undefined) throw refuse(`There is no row of ${harness} with ${model}.`, "Roll that setup out too.");
      return { own, means: taskMeans(own, metric) };
    }),
  );
  const seen = new Set(perCell.flatMap(({ means }) => [...means.keys()]));
  const tasks = [...seen].filter((task) => perCell.every(({ means }) => means.has(task))).sort(compareCodePoints);
  if (tasks.length === 0) {
    throw refuse(`No task has ${metric} in every cell.`, "Roll all setups out on the same tasks, and grade every row.");
  }
  const dropped = seen.size - tasks.length;
  return {
    ...{ harnesses, models, tasks },
    means: perCell.map(({ means }) => Float64Array.from(tasks, (task) => means.get(task)!)),
    nRows: perCell.map(({ own }) => own.length),
    notes: [
      ...(nUnstamped === 0 ? [] : [`${nUnstamped} rows do not say their harness and model, and are left out`]),
      ...(dropped === 0 ? [] : [`${dropped} tasks are not in every cell, and are left out`]),
      ...(tasks.length < MIN_CI_TASKS ? [`${tasks.length} tasks are too few for an interval`] : []),
    ],
  };
}

/** Mean of each cell over a draw of tasks. */
function cellMeans(means: readonly Float64Array[], draw: readonly number[]): number[] {
  return means.map((own) => {
    let sum = 0;
    for (const task of draw) sum += own[task]!;
    return sum / draw.length;
  });
}

interface Split {
  means: number[];
  harness: number;
  model: number;
  interaction: number;
  spreadHarness: number;
  spreadModel: number;
}

/** Two-way analysis of variance of one value a cell: main effects, and what is left of each cell. */
function splitOf(means: number[], nHarnesses: number, nModels: number): Split {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const grand = mean(means);
  const of = (h: number, m: number): number => means[h * nModels + m]!;
  const hs = Array.from({ length: nHarnesses }, (_, h) => h);
  const ms = Array.from({ length: nModels }, (_, m) => m);
  const a = hs.map((h) => mean(ms.map((m) => of(h, m))) - grand);
  const b = ms.map((m) => mean(hs.map((h) => of(h, m))) - grand);
  const squares = (values: readonly number[]): number => values.reduce((sum, value) => sum + value * value, 0);
  const ofHarness = nModels * squares(a);
  const ofModel = nHarnesses * squares(b);
  const rest = squares(hs.flatMap((h) => ms.map((m) => of(h, m) - grand - a[h]! - b[m]!)));
  const total = ofHarness + ofModel + rest;
  const share = (part: number): number => (total <= SLACK * SLACK ? 0 : part / total);
  return {
    ...{ means, harness: share(ofHarness), model: share(ofModel), interaction: share(rest) },
    spreadHarness: Math.max(...a) - Math.min(...a),
    spreadModel: Math.max(...b) - Math.min(...b),
  };
}

/** No model is among the best under every harness. */
function isReversed(means: readonly number[], nModels: number): boolean {
  const best = Array.from({ length: means.length / nModels }, (_, h) => {
    const own = means.slice(h * nModels, (h + 1) * nModels);
    const top = Math.max(...own);
    return own.flatMap((value, m) => (top - value <= SLACK ? m : []));
  });
  return !best[0]!.some((model) => best.every((models) => models.includes(model)));
}

function drawnShares(
  { means, tasks, harnesses, models }: Grid,
  { nBoot, seed, level }: Required<Omit<AttributeOptions, "metric">>,
): { harness: Interval; model: Interval; difference: Interval } | null {
  const [low, high] = percentileIndices(level, nBoot);
  const rng = new MersenneTwister(seed);
  const n = tasks.length;
  if (n < MIN_CI_TASKS) return null;
  const drawn = {
    harness: new Float64Array(nBoot),
    model: new Float64Array(nBoot),
    difference: new Float64Array(nBoot),
  };
  const draw = new Array<number>(n);
  for (let at = 0; at < nBoot; at++) {
    for (let i = 0; i < n; i++) draw[i] = rng.below(n);
    const { harness, model } = splitOf(cellMeans(means, draw), harnesses.length, models.length);
    drawn.harness[at] = harness;
    drawn.model[at] = model;
    drawn.difference[at] = harness - model;
  }
  const ends = (values: Float64Array): Interval => {
    const sorted = values.sort();
    return [sorted[low]!, sorted[high]!];
  };
  return { harness: ends(drawn.harness), model: ends(drawn.model), difference: ends(drawn.difference) };
}
