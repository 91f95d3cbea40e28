import { pyJson, sha256Hex } from "@while/schema";
import { unitOfWord } from "../draw.ts";
import { SUCCESS, UNSPECIFIED } from "./dimensions.ts";
import { type Assignment, regionId } from "./region-id.ts";

/** Share of the fault cells that stay, beside the one of each condition. */
const KEPT_FAULTS = 0.1;

/**
 * Cells as the Python SDK runs them outside mode rl: of each fault condition one cell stays, and about one in ten of the
 * others; the rest become cells without a fault, under another id. Decided cell by cell from its own content, so a grid
 * that grows keeps its verdicts. Cells that become equal are one cell.
 *
 * The engine's own rule is a share of faults (`drawCells`), which moves no id; this is for `faultRate`.
 */
export function preferSuccess(rows: readonly Assignment[]): Assignment[] {
  const digests = rows.map((row) => sha256Hex(pyJson(row, { sortKeys: true })));
  const kept = new Set<number>();
  const conditions = new Set(rows.flatMap(({ tool_condition: condition }) => (isFault(condition) ? [condition] : [])));
  for (const condition of conditions) {
    const own = [...rows.keys()].filter((at) => rows[at]!.tool_condition === condition);
    const ruleFree = own.filter((at) => (rows[at]!.rule ?? UNSPECIFIED) === UNSPECIFIED);
    const candidates = ruleFree.length > 0 ? ruleFree : own;
    kept.add(candidates.reduce((least, at) => (digests[at]! < digests[least]! ? at : least)));
  }
  const out = new Map<string, Assignment>();
  for (const [at, row] of rows.entries()) {
    const stays =
      !isFault(row.tool_condition) ||
      kept.has(at) ||
      unitOfWord(Number.parseInt(digests[at]!.slice(0, 8), 16)) < KEPT_FAULTS;
    const cell = stays ? row : { ...row, tool_condition: SUCCESS };
    const id = regionId(cell);
    if (!out.has(id)) out.set(id, cell);
  }
  return [...out.values()];
}

/** Whether a cell's condition fails its tool. */
export function isFault(condition: string | undefined): condition is string {
  return condition !== undefined && condition !== SUCCESS;
}
