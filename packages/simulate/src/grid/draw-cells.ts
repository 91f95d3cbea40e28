import { roundHalfEven, type ToolSchema } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";
import { SUCCESS } from "./dimensions.ts";
import { mixByTier, tierOf } from "./mix-by-tier.ts";
import { isFault } from "./prefer-success.ts";
import { type Assignment, regionId } from "./region-id.ts";
import { cellRisk, regionKey, regionWeight } from "./region-weight.ts";

/** What is known of a cell already, and what it is worth for that. */
export interface CellKnowledge {
  /** Rows that it has. */
  count?: number;
  /** How much its rows found that was new, 0 to 1; 0.5 without any. */
  novelty?: number;
  /** How little is known of what the agent does there, 0 to 1. */
  gap?: number;
  /** How often its weight counts, for a value that hardly any row has. */
  urgency?: number;
}

export interface DrawCellsOptions {
  seed?: number;
  /** Another round is another draw of the same cells. */
  round?: number;
  /** What the cells' tools do, by name. */
  tools?: ReadonlyMap<string, ToolSchema>;
  mode?: string;
  hardShare?: number;
  /** Share of cells whose tool fails; null takes cells as they come. */
  faultShare?: number | null;
  /** Nothing when left out: all cells are unseen. */
  knowledgeOf?: (cell: Assignment) => CellKnowledge;
}

/**
 * `n` cells of a grid for one run: a weighted draw without replacement, in which `hardShare` are hard and `faultShare`
 * meet a failing tool, the ways to fail in turn. Where the grid has too few cells without a fault, as every covering
 * array has, a cell stands in as its twin under `success`. (The Python SDK turns nine fault cells of ten into their
 * twins whatever was asked for.)
 *
 * @throws SimulateError `bad_option`
 */
export function drawCells(
  rows: readonly Assignment[],
  n: number,
  { seed = 0, round = 0, tools, mode, hardShare, faultShare = null, knowledgeOf }: DrawCellsOptions = {},
): Assignment[] {
  if (faultShare !== null && !(faultShare >= 0 && faultShare <= 1)) {
    throw new SimulateError("bad_option", `faultShare is ${faultShare}.`, "It is a share from 0 to 1.");
  }
  const mode_ = mode === undefined ? {} : { mode };
  const drawn = rows
    .map((cell) => {
      const id = regionId(cell);
      const risk = cellRisk(cell, tools?.get(cell.tool ?? ""));
      const { count = 0, urgency = 1, ...known } = knowledgeOf?.(cell) ?? {};
      const weight = urgency * regionWeight({ count, risk, ...known, ...mode_ });
      return { cell, id, key: regionKey(id, weight, { seed, round }) };
    })
    .sort((a, b) => b.key - a.key || (a.id < b.id ? -1 : 1))
    .map(({ cell }) => cell);
  const mix = hardShare === undefined ? {} : { hardShare };
  if (faultShare === null) return mixByTier(drawn, n, tierOf, mix);

  const want = Math.min(n, drawn.length);
  const faulty = inTurn(drawn.filter(({ tool_condition: condition }) => isFault(condition)));
  const nFaulty = Math.min(faulty.length, roundHalfEven(want * faultShare, 0));
  const failing = mixByTier(faulty.slice(0, nFaulty), nFaulty, tierOf, mix);
  const clean = cleanOf(drawn, new Set(failing));
  // Where the cells without a fault, twins and all, are too few, those with one fill up.
  const rest = mixByTier(clean, want - nFaulty, tierOf, mix);
  const missing = faulty.slice(nFaulty, nFaulty + want - nFaulty - rest.length);
  return [...failing, ...missing, ...rest];
}

/** The cells without a fault and, behind them, the twins without one of the cells that have one. */
function cleanOf(drawn: readonly Assignment[], chosen: ReadonlySet<Assignment>): Assignment[] {
  const clean = new Map<string, Assignment>();
  const twins = new Map<string, Assignment>();
  for (const cell of drawn) {
    if (!isFault(cell.tool_condition)) clean.set(regionId(cell), cell);
    else if (!chosen.has(cell)) {
      const twin = { ...cell, tool_condition: SUCCESS };
      twins.set(regionId(twin), twin);
    }
  }
  return [...new Map([...clean, ...twins]).values()];
}

/** One of each way to fail, then the next of each. */
function inTurn(cells: readonly Assignment[]): Assignment[] {
  const nth = new Map<string, number>();
  const placed = cells.map((cell, at) => {
    const turn = nth.get(cell.tool_condition!) ?? 0;
    nth.set(cell.tool_condition!, turn + 1);
    return { cell, turn, at };
  });
  return placed.sort((a, b) => a.turn - b.turn || a.at - b.at).map(({ cell }) => cell);
}
