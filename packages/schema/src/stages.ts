import { type Row, STAGES } from "./row.ts";
import { SchemaError } from "./schema-error.ts";
import { textOf } from "./text/text-of.ts";

/** Purposes that keep a row from being trained on. */
const HELD_OUT: ReadonlySet<unknown> = new Set(["eval", "holdout"]);

/**
 * The rows with the stage of post-training that they feed, so that it can be audited later which stage saw which task
 * (Lambert 2025, chapter Training Overview). Provenance alone: no reward changes.
 *
 * @param stage One of `STAGES`, in any case
 * @throws SchemaError `bad_option`
 */
export function stampStage(rows: readonly Row[], stage: string): Row[] {
  const known = stage.toLowerCase();
  if (!STAGES.includes(known)) {
    throw new SchemaError("bad_option", `The stage is ${JSON.stringify(stage)}.`, `Give one of ${STAGES.join(", ")}.`);
  }
  return rows.map((row) => ({ ...row, stage: known }));
}

/**
 * The stage that a row is stamped with, in lower case, whether it is one of `STAGES` or not; without a stamp `eval` for
 * rows that came from an evaluation or were held out; else null.
 */
export function stageOf(row: Row): string | null {
  const stage = textOf(row.stage).toLowerCase();
  if (stage !== "") return stage;
  return row.lineage?.source === "eval" || HELD_OUT.has(row.purpose) ? "eval" : null;
}
