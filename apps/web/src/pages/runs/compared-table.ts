import type { RunRow } from "@while/platform-client/contract";
import { half, points } from "../../numbers.ts";
import type { TakenTable } from "../../parts/table-text.ts";
import type { KnobRow } from "./record-rows.ts";
import { newestScore } from "./run-view.ts";

/** Name of a run where several of one version may stand side by side. */
function headOf({ version, id }: RunRow): string {
  return `${version} (${id})`;
}

/** Behaviors that any of the runs was scored on, by name. */
export function behaviorsOf(runs: readonly RunRow[]): string[] {
  return [...new Set(runs.flatMap(({ evals }) => evals.map(({ behavior }) => behavior)))].sort();
}

/** Scores side by side to take along; for a program one line for each behavior and run. */
export function takenScores(runs: readonly RunRow[]): TakenTable {
  const behaviors = behaviorsOf(runs);
  return {
    heads: ["behavior", ...runs.map(headOf)],
    cells: behaviors.map((behavior) => [
      behavior,
      ...runs.map((run) => {
        const score = newestScore(run, behavior);
        if (score === null) return "not scored";
        return score.ci == null ? `${points(score.score)} ± not posted` : `${points(score.score)} ${half(score.ci)}`;
      }),
    ]),
    facts: behaviors.flatMap((behavior) =>
      runs.map((run) => {
        const score = newestScore(run, behavior);
        return {
          ...{ behavior, run: run.id, version: run.version, score: score?.score ?? null, ci: score?.ci ?? null },
          ...{ n: score?.n ?? null, testVersion: score?.testVersion ?? null },
        };
      }),
    ),
  };
}

/** The settings that are shown, to take along; for a program one line for each setting and run. */
export function takenKnobs(knobs: readonly KnobRow[], runs: readonly RunRow[]): TakenTable {
  return {
    heads: ["setting", ...runs.map(headOf)],
    cells: knobs.map(({ name, values }) => [name, ...values.map((value) => value ?? "not posted")]),
    facts: knobs.flatMap(({ name, values }) =>
      runs.map((run, at) => ({ setting: name, run: run.id, version: run.version, value: values[at] ?? null })),
    ),
  };
}
