import { halfInterval } from "@while/platform-client/rules";
import { change, dollars, duration, half, points, shortDate, whole } from "../../numbers.ts";
import type { Report } from "./report.ts";
import { newestScore, type RunView } from "./run-view.ts";

/** A column of the table of runs beside version, change and what is missing, which always stand. */
export interface RunColumn {
  key: string;
  head: string;
  /** Name of the sort on the platform; none where it cannot sort by it. */
  sort?: string;
  numeric?: true;
  /** Stands where nobody chose columns. */
  usual?: true;
  /** Drops first where there is little room. */
  narrow?: "wide-only" | "wide-only roomy";
  /** Null is said as `none`. */
  text: (view: RunView) => string | null;
  /** A second, smaller line. */
  sub?: (view: RunView) => string | null;
  none: string;
  /** The same for a program, by the names of the wire. */
  facts: (view: RunView) => Record<string, string | number | null>;
}

const RUN_COLUMNS: readonly RunColumn[] = [
  {
    ...{ key: "status", head: "status", sort: "status", narrow: "wide-only", none: "" },
    text: ({ run }) => run.status,
    facts: ({ run }) => ({ status: run.status }),
  },
  {
    ...{ key: "method", head: "method", sort: "method", usual: true, narrow: "wide-only", none: "not posted" },
    text: ({ run }) => run.method ?? null,
    facts: ({ run }) => ({ method: run.method ?? null }),
  },
  {
    ...{ key: "score", head: "score", sort: "score", numeric: true, usual: true, none: "not scored" },
    text: ({ score, half: width }) =>
      score === null ? null : `${points(score.score)}${width === null ? "" : ` ${half(width)}`}`,
    sub: ({ score, half: width, pooled }) =>
      pooled !== null
        ? `mean ${points(pooled.mean)}, sd ${points(pooled.sd)}`
        : score !== null && width === null
          ? "± not posted"
          : null,
    facts: ({ score, half: width, pooled }) => ({
      ...{ score: score?.score ?? null, ci: width },
      ...(pooled === null ? {} : { seeds: pooled.seeds, seedMean: pooled.mean, seedSd: pooled.sd }),
    }),
  },
  {
    ...{ key: "n", head: "n", sort: "n", numeric: true, narrow: "wide-only roomy", none: "not posted" },
    text: ({ score }) => (score?.n == null ? null : whole(score.n)),
    facts: ({ score }) => ({ n: score?.n ?? null }),
  },
  {
    ...{ key: "test", head: "test", usual: true, narrow: "wide-only roomy", none: "unnamed" },
    // Without a score there is no test to be unnamed.
    text: ({ score }) => (score === null ? "" : (score.testVersion ?? null)),
    sub: ({ score }) => (score?.n == null ? null : `n = ${whole(score.n)}`),
    facts: ({ score }) => ({ testVersion: score?.testVersion ?? null, n: score?.n ?? null }),
  },
  {
    ...{ key: "harness", head: "harness", usual: true, narrow: "wide-only roomy", none: "not posted" },
    text: ({ run, harnessHash }) => run.harness ?? harnessHash,
    sub: ({ run, harnessHash }) => (run.harness ? harnessHash : null),
    facts: ({ run, harnessHash }) => ({ harness: run.harness ?? null, harnessHash }),
  },
  {
    ...{ key: "model", head: "model", narrow: "wide-only roomy", none: "not posted" },
    text: ({ model }) => model,
    facts: ({ model }) => ({ model }),
  },
  {
    ...{ key: "seed", head: "seed", numeric: true, usual: true, narrow: "wide-only roomy", none: "none" },
    text: ({ seed }) => (seed === null ? null : String(seed)),
    sub: ({ pooled }) => (pooled === null ? null : `of ${pooled.seeds}`),
    facts: ({ seed }) => ({ seed }),
  },
  {
    ...{ key: "hours", head: "hours", sort: "hours", numeric: true, usual: true, narrow: "wide-only roomy" },
    none: "not posted",
    text: ({ run }) => (run.hours == null ? null : duration(3600 * run.hours)),
    sub: ({ run }) => run.gpu ?? null,
    facts: ({ run }) => ({ hours: run.hours ?? null, gpu: run.gpu ?? null }),
  },
  {
    ...{ key: "cost", head: "bill", sort: "cost", numeric: true, usual: true, narrow: "wide-only", none: "not posted" },
    text: ({ run }) => (run.costUsd == null ? null : dollars(run.costUsd)),
    facts: ({ run }) => ({ costUsd: run.costUsd ?? null }),
  },
  {
    ...{ key: "created", head: "created", sort: "created", numeric: true, usual: true, narrow: "wide-only", none: "" },
    text: ({ run }) => shortDate(run.createdAt),
    facts: ({ run }) => ({ createdAt: run.createdAt }),
  },
  {
    ...{ key: "updated", head: "updated", sort: "updated", numeric: true, narrow: "wide-only", none: "" },
    text: ({ run }) => shortDate(run.updatedAt),
    facts: ({ run }) => ({ updatedAt: run.updatedAt }),
  },
];

export const USUAL_COLUMNS: readonly string[] = RUN_COLUMNS.filter(({ usual }) => usual).map(({ key }) => key);

/** Every column there is: of the run, and the score on each behavior but the picked one, whose score is a column anyway. */
export function allColumns({ behavior, behaviors }: Pick<Report, "behavior" | "behaviors">): RunColumn[] {
  const others = behaviors.filter(({ name }) => name !== behavior?.name);
  return [...RUN_COLUMNS, ...others.map(({ name }) => scoreColumn(name))];
}

function scoreColumn(behavior: string): RunColumn {
  const score = ({ run }: RunView) => newestScore(run, behavior);
  return {
    ...{ key: `score:${behavior}`, head: behavior, numeric: true, narrow: "wide-only", none: "not scored" },
    text: (view) => {
      const found = score(view);
      const width = found === null ? null : halfInterval({ ...found, v: view.run.version });
      return found === null ? null : `${points(found.score)}${width === null ? "" : ` ${half(width)}`}`;
    },
    facts: (view) => ({
      [`score ${behavior}`]: score(view)?.score ?? null,
      [`ci ${behavior}`]: score(view)?.ci ?? null,
    }),
  };
}

/** Of these columns the ones with such keys, in the order of the table, whatever order they were chosen in. */
export function columnsOf(columns: readonly RunColumn[], keys: readonly string[]): RunColumn[] {
  return columns.filter(({ key }) => keys.includes(key));
}

/** The change against the served version as text: "+5.0 ± 4.5". */
export function toServedText({ toServed, otherTest, isServed, score }: RunView): string | null {
  if (isServed) return "served";
  if (otherTest) return "another test";
  if (toServed === null || score === null) return null;
  return toServed.halfWidth === null ? change(toServed.delta) : `${change(toServed.delta)} ${half(toServed.halfWidth)}`;
}
