import type { TakenTable } from "../../parts/table-text.ts";
import { type RunColumn, toServedText } from "./run-columns.ts";
import type { RunView } from "./run-view.ts";

/** The table of runs to take along: the columns that are shown, in their order. */
export function takenRuns(views: readonly RunView[], columns: readonly RunColumn[]): TakenTable {
  return {
    heads: ["version", "run", ...columns.map(({ head }) => head), "to served", "missing"],
    cells: views.map((view) => [
      ...[view.run.version, view.run.id],
      ...columns.map((column) => column.text(view) ?? column.none),
      ...[toServedText(view) ?? "", view.missing.items.map(({ key }) => key).join(" ")],
    ]),
    facts: views.map((view) => ({
      ...{ version: view.run.version, run: view.run.id },
      ...Object.assign({}, ...columns.map((column) => column.facts(view))),
      ...{ toServed: view.toServed?.delta ?? null, toServedCi: view.toServed?.halfWidth ?? null },
      missing: view.missing.items.map(({ key }) => key).join(" "),
    })),
  };
}
