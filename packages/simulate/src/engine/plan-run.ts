import type { ToolSchema } from "@while/schema";
import type { ModelUse } from "../agent/model.ts";
import { buildDimensions } from "../grid/build-dimensions.ts";
import { drawCells } from "../grid/draw-cells.ts";
import { buildGrid, type Grid } from "../grid/grid.ts";
import { preferSuccess } from "../grid/prefer-success.ts";
import { type Assignment, ProbeIds, regionId } from "../grid/region-id.ts";
import { SimulateError } from "../simulate-error.ts";
import { templateWriter } from "../writers/template-writer.ts";
import type { Card } from "../writers/writer.ts";
import { drawnTask } from "./drawn-task.ts";
import { fitSeeds } from "./fit-seeds.ts";
import { pinnedTasks } from "./pinned-tasks.ts";
import type { RunSetup } from "./run-setup.ts";
import type { PlannedTask } from "./task.ts";
import { resolveTopology, type Topology } from "./topology.ts";

/** Most rows of a run that says nothing else. */
const DEFAULT_BUDGET = 1000;
/** Rollouts of a prompt before `successive` looks. */
const DEFAULT_PROBE = 2;
/** Of the budget, what `adaptive` may put into situations that nothing is known of. */
const MOST_EXPLORED = 0.8;
const FAULT_SHARE = 0.1;
const FAULT_SHARE_RL = 0.3;

/** Everything that will be run, known before the first call: a pure function of the setup, and of what the writer wrote. */
export interface RunPlan {
  tasks: readonly PlannedTask[];
  topology: Topology;
  probe: number;
  /** Most rows of one run. */
  budget: number;
  isPinned: boolean;
  /** Situations that were asked for by number. */
  situations: number | null;
  grid: Grid | null;
  /** Cells behind the tasks. */
  cells: readonly Assignment[];
  seedsDropped: readonly string[];
  idCollisions: number;
  /** Tasks are found while it runs, and those above are the seeds alone. */
  searches: boolean;
  warnings: string[];
}

export interface PlanHooks {
  signal?: AbortSignal;
  meter?: (use: ModelUse) => void;
  /** Tasks of an earlier process, taken as they are. */
  tasks?: readonly PlannedTask[] | null;
}

/**
 * The plan of a run.
 *
 * @throws SimulateError `bad_option`, `bad_tasks`, `bad_dimensions`, and whatever the writer throws
 */
export async function planRun(setup: RunSetup, hooks: PlanHooks = {}): Promise<RunPlan> {
  const plan = setup.options.tasks === undefined ? await drawnPlan(setup, hooks) : pinnedPlan(setup);
  const { policy, mode } = plan.topology;
  if (plan.searches && (policy === "successive" || policy === "adaptive")) {
    const how = `mode ${mode} with repeatPolicy ${policy}`;
    const fix = "Search in mode explore or sft, with repeatPolicy none or fixed.";
    throw new SimulateError("bad_option", `A search goes round by round, and so does ${how}.`, fix);
  }
  if (policy === "adaptive" && plan.isPinned) {
    const fix = 'Leave repeatPolicy out, or give "fixed".';
    throw new SimulateError(
      "bad_option",
      "repeatPolicy is adaptive, and the tasks are pinned: all are run alike.",
      fix,
    );
  }
  if (policy === "successive" || policy === "adaptive") {
    if (setup.runs > 1) {
      const fix = 'Runs are compared over equal draws: leave repeatPolicy out, or give "fixed".';
      throw new SimulateError(
        "bad_option",
        `runs is ${setup.runs}, and rollouts are allocated one after another.`,
        fix,
      );
    }
    if (policy === "successive" && plan.probe > plan.topology.k) {
      throw new SimulateError(
        "bad_option",
        `probe is ${plan.probe}, and repeats is ${plan.topology.k}.`,
        "Give probe at most as many.",
      );
    }
  }
  // The rounds of a search are taken up one by one, as they were.
  return hooks.tasks && !plan.searches ? { ...plan, tasks: hooks.tasks } : plan;
}

function pinnedPlan({ options }: RunSetup): RunPlan {
  const { tasks, baseK, idCollisions } = pinnedTasks(options.tasks!);
  // An eval draws equally from every task, or before and after are not comparable.
  const repeatPolicy = options.repeatPolicy ?? "fixed";
  const repeats = options.repeats ?? baseK;
  const topology = resolveTopology({ ...topologyOptions(options), repeatPolicy, repeats });
  return {
    ...{ tasks, topology, idCollisions },
    probe: options.probe ?? Math.min(DEFAULT_PROBE, topology.k),
    budget: options.budget ?? tasks.length * topology.k,
    isPinned: true,
    situations: null,
    grid: null,
    cells: tasks.flatMap(({ assignment }) => (assignment === null ? [] : [assignment])),
    seedsDropped: [],
    searches: false,
    warnings: [],
  };
}

async function drawnPlan(setup: RunSetup, hooks: PlanHooks): Promise<RunPlan> {
  const { options, runs, systemPrompt, tools } = setup;
  const { budget = DEFAULT_BUDGET, seeds: given = [] } = options;
  // Runs that are compared are drawn alike, whatever the mode would do.
  const isEval =
    runs > 1 && options.repeatPolicy === undefined && (options.mode === "rl" || options.mode === "adaptive");
  const topology = resolveTopology({ ...topologyOptions(options), ...(isEval ? { repeatPolicy: "fixed" } : {}) });
  const probe = options.probe ?? Math.min(DEFAULT_PROBE, topology.k);
  const warnings: string[] = [];

  const ids = new ProbeIds();
  const seeds = fitSeeds(given, { repeats: topology.k, budget });
  if (seeds.dropped.length > 0) {
    const { covered, needed } = seeds;
    warnings.push(
      `A budget of ${budget} runs ${covered} of ${given.length} seeds at ${topology.k} rollouts each; all of them take budget ${needed}.`,
    );
  }
  const seedTasks = given.slice(0, seeds.covered).map((prompt) => seedTask(prompt, ids));

  // Prompts of one's own are the tasks; situations are drawn beside them when they are asked for.
  const canDraw =
    tools.length > 0 || systemPrompt !== "" || options.grid !== undefined || options.dimensions !== undefined;
  if (options.search === true) {
    if (!canDraw) {
      const fix = "Give tools, a systemPrompt or a grid.";
      throw new SimulateError("bad_option", "search has nothing that situations could be drawn from.", fix);
    }
    return {
      ...{ topology, probe, budget, warnings, tasks: seedTasks, searches: true, isPinned: false, cells: [] },
      ...{ grid: gridOf(setup, warnings), seedsDropped: seeds.dropped, idCollisions: ids.collisions },
      situations: options.situations ?? null,
    };
  }
  const nPrompts =
    canDraw && (given.length === 0 || options.situations !== undefined)
      ? promptsWanted(setup, topology, probe, budget)
      : 0;
  const wanted = Math.max(0, nPrompts - seedTasks.length);
  const grid = wanted > 0 ? gridOf(setup, warnings) : (options.grid ?? null);
  const drawn = wanted > 0 ? await draw(setup, topology, grid!, wanted, hooks, warnings, hooks.tasks) : [];
  return {
    ...{ topology, probe, budget, grid, warnings },
    tasks: [...seedTasks, ...drawn],
    isPinned: false,
    situations: options.situations ?? null,
    cells: [...new Map(drawn.map(({ scenarioId, assignment }) => [scenarioId, assignment!])).values()],
    seedsDropped: seeds.dropped,
    idCollisions: ids.collisions,
    searches: false,
  };
}

/** Share of the drawn situations whose tool fails. */
export function faultShareOf({ faultShare }: RunSetup["options"], { mode }: Topology): number {
  return faultShare ?? (mode === "rl" ? FAULT_SHARE_RL : FAULT_SHARE);
}

/** Prompts that the budget has room for. Under `successive` saved rollouts open more, up to twice as many. */
function promptsWanted({ options }: RunSetup, { n, k, policy }: Topology, probe: number, budget: number): number {
  if (policy === "adaptive") return n * Math.min(options.situations ?? budget, Math.ceil(MOST_EXPLORED * budget));
  const room =
    policy === "successive" ? Math.min(Math.floor(budget / probe), Math.ceil((2 * budget) / k)) : Math.ceil(budget / k);
  const asked = options.situations === undefined ? room : Math.min(room, options.situations * n);
  return Math.max(1, asked);
}

function gridOf({ options, tools, systemPrompt }: RunSetup, warnings: string[]): Grid {
  if (options.grid !== undefined) return options.grid;
  const { dimensions: given, faultModes } = options;
  const { dimensions, warning } = buildDimensions(tools, systemPrompt, {
    ...(given === undefined ? {} : { dimensions: given }),
    ...(faultModes === undefined ? {} : { faultModes: Object.keys(faultModes) }),
  });
  if (warning !== undefined) warnings.push(warning);
  return buildGrid(dimensions);
}

async function draw(
  setup: RunSetup,
  topology: Topology,
  grid: Grid,
  wanted: number,
  { signal, meter }: PlanHooks,
  warnings: string[],
  written: readonly PlannedTask[] | null | undefined,
): Promise<PlannedTask[]> {
  const { options, seed, tools, systemPrompt } = setup;
  const { mode, n } = topology;
  const { faultRate, hardShare } = options;
  const faultShare = faultShareOf(options, topology);
  const rows = faultRate !== undefined && mode !== "rl" ? preferSuccess(grid.rows) : grid.rows;
  const byName = new Map<string, ToolSchema>(tools.map((tool) => [tool.function.name, tool]));
  const nCells = Math.ceil(wanted / n);
  const cells = drawCells(rows, nCells, {
    ...{ seed, mode, tools: byName, faultShare: faultRate === undefined ? faultShare : null },
    ...(hardShare === undefined ? {} : { hardShare }),
  });
  if (nCells > cells.length) {
    warnings.push(
      `The grid has ${cells.length} situations and ${nCells} were wanted: the rest of the budget goes into further wordings of them. Give strength 3 to the grid for more.`,
    );
  }
  const cards: Card[] = [];
  for (let pass = 0; cards.length < wanted; pass++) {
    for (const assignment of cells) {
      for (let i = 0; i < n && cards.length < wanted; i++) {
        cards.push({ id: regionId(assignment), assignment, phrasing: pass * n + i });
      }
    }
  }
  // A plan that was written down is not written again: a model would word it differently.
  if (written) return [...written].filter(({ selectionReason }) => selectionReason === "grid");
  const writer = options.writer ?? templateWriter;
  const words = await writer.write(cards, {
    ...{ tools, policy: systemPrompt, seed, taken: new Set(options.seeds ?? []) },
    ...(signal === undefined ? {} : { signal }),
    ...(meter === undefined ? {} : { meter }),
  });
  warnings.push(...words.warnings);
  if (words.written.length === 0) {
    throw new SimulateError(
      "writer_failed",
      `${writer.name} wrote none of ${cards.length} prompts.`,
      words.warnings[0] ?? "Try another writer.",
    );
  }
  return words.written.map((one) => drawnTask(one, writer.name, faultRate, seed));
}

function seedTask(prompt: string, ids: ProbeIds): PlannedTask {
  return {
    prompt,
    scenarioId: ids.idOf(prompt),
    assignment: null,
    arm: "open_ended",
    faults: null,
    worldState: null,
    tags: {},
    writerModel: "seed",
    selectionReason: "seed",
  };
}

function topologyOptions({ mode, repeatPolicy, phrasings, repeats, timeBudgetMs }: RunSetup["options"]) {
  return {
    ...(timeBudgetMs === undefined ? {} : { timeBudgetMs }),
    ...(mode === undefined ? {} : { mode }),
    ...(repeatPolicy === undefined ? {} : { repeatPolicy }),
    ...(phrasings === undefined ? {} : { phrasings }),
    ...(repeats === undefined ? {} : { repeats }),
  };
}
