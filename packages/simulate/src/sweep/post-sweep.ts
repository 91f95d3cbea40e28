import { compareCodePoints } from "@while/schema";
import type { CheckedVariant } from "./check-variants.ts";
import type { SweepReport } from "./sweep-report.ts";
import type { SweepBehavior, SweepSink } from "./sweep-sink.ts";

/**
 * Posts a sweep: what was tested, then one run for each variant with its scores. Contamination is not posted: a zero would
 * read as a measurement.
 *
 * @returns The runs' ids by label
 */
export async function postSweep(
  report: SweepReport,
  variants: readonly CheckedVariant[],
  sink: SweepSink,
  { reader, gradedBy }: { reader: string; gradedBy?: SweepBehavior["gradedBy"] },
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
    for (const [name, { score, ci, n }] of swept.scores) await run.score(name, score, { ci, n, testVersion });
    await run.finish("evaluated", { say: index === variants.length - 1 });
    ids.set(label, run.id ?? null);
  }
  return ids;
}
