import { compareCodePoints, type Row, taskKey, textOf } from "@while/schema";
import { PASS_THRESHOLD } from "@while/stats";
import type { CheckedVariant } from "./check-variants.ts";
import type { SweepReport } from "./sweep-report.ts";
import type { SweepBehavior, SweepExample, SweepSink } from "./sweep-sink.ts";

/** A platform keeps no more rows of one score; where there are more, none are posted and the scores are. */
const MOST_ROWS = 20_000;

/**
 * Posts a sweep: what was tested, then one run for each variant with its scores and the graded rows behind them. Contamination is not posted: a zero would
 * read as a measurement.
 *
 * @returns The runs' ids by label
 */
export async function postSweep(
  report: SweepReport,
  variants: readonly CheckedVariant[],
  sink: SweepSink,
  {
    reader,
    gradedBy,
    rows,
  }: { reader: string; gradedBy?: SweepBehavior["gradedBy"]; rows: ReadonlyMap<string, readonly Row[]> },
): Promise<Map<string, string | null>> {
  const { behavior, testVersion, nAsks, k, noiseFloor, noiseRuns, runStd, judge } = report;
  const names = new Set(report.variants.flatMap(({ scores }) => [...scores.keys()]));
  for (const name of names) {
    const n = Math.max(...report.variants.map(({ scores }) => scores.get(name)?.n ?? 0));
    const isHeadline = name === behavior;
    await sink.behavior(name, {
      ...{ testVersion, n },
      ...(gradedBy === undefined ? {} : { gradedBy }),
      ...(judge === null || !isHeadline ? {} : { judge }),
      ...(noiseFloor === null || !isHeadline ? {} : { noiseFloor }),
    });
  }
  const ids = new Map<string, string | null>();
  for (const [index, { label, hash, harness }] of variants.entries()) {
    const swept = report.variants.find((variant) => variant.label === label)!;
    const { model, tools } = harness;
    const pins = {
      harness: hash,
      ...(model ? { model } : {}),
      prompt: label.split("@")[0]!,
      ...(tools?.length ? { tools: [...tools].sort(compareCodePoints).join(",") } : {}),
    };
    const run = await sink.run(label, {
      method: "eval",
      targets: [behavior],
      harness: label,
      ...(model ? { base: model } : {}),
      record: {
        data: { holdout: testVersion, nHoldout: nAsks },
        eval: { metric: "pass@1", k, ...(runStd === null ? {} : { runStd, runStdRuns: noiseRuns }), reader },
        provenance: { pins },
      },
    });
    const examples = examplesOf(rows.get(label) ?? []);
    for (const [name, { score, ci, n }] of swept.scores) {
      const own = name === behavior && examples.length <= MOST_ROWS ? { rows: examples } : {};
      await run.score(name, score, { ci, n, testVersion, ...own });
    }
    await run.finish("evaluated", { say: index === variants.length - 1 });
    ids.set(label, run.id ?? null);
  }
  return ids;
}

/** Rows with a verdict, in their order. */
function examplesOf(rows: readonly Row[]): SweepExample[] {
  return rows.flatMap((row): SweepExample[] => {
    const { reward, prompt, final_text, reason } = row;
    if (typeof reward !== "number") return [];
    const why = textOf(reason);
    return [
      {
        ...{ ok: reward >= PASS_THRESHOLD, prompt: textOf(prompt), reply: textOf(final_text), score: reward },
        ...(why === "" ? {} : { why }),
        tags: { task: taskKey(row) },
      },
    ];
  });
}
