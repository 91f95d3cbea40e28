import { type PriceBook, putBehavior } from "@while/platform-client/contract";
import { type ReactNode, useMemo } from "react";
import { Choice } from "../../parts/Choice.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { choiceOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { CostScatter } from "./CostScatter.tsx";
import { pricedOf } from "./priced.ts";
import type { Report } from "./report.ts";
import { ScoreChart } from "./ScoreChart.tsx";
import { type GroupBy, type ScorePoint, scorePoints } from "./score-groups.ts";

/** What the versions may be drawn by; the last is against what they cost. */
const AXES = ["version", "prompt", "model", "method", "cost"] as const;

/** The held-out score of every version, with its interval, beside the band and the frontier. */
export function ScorePart({ report, book }: { report: Report; book: PriceBook | null }): ReactNode {
  const [search] = useChoices();
  const axis = choiceOf(search, "group", AXES);
  const points = useMemo(() => pointsOf(report, axis === "cost" ? "version" : axis), [report, axis]);
  const { behavior, runs } = report;
  if (behavior === null) return <Undeclared agent={report.agent.id} />;
  const metric = runs.find(({ record }) => record?.eval?.metric)?.record?.eval?.metric;
  return (
    <Part
      id="score"
      title="Held-out score"
      note={
        <>
          <p>
            {metric ?? "Score"} in points{behavior.n ? ` on ${behavior.n} frozen tasks` : ""}. Bars are 95% intervals.
          </p>
          {points.some(({ pooled }) => pooled !== null) && (
            <p>The thin line left of a bar is the mean over the seeds of that version, and one sd between them.</p>
          )}
          {points.some(({ otherTest }) => otherTest) && (
            <p>A hollow mark was scored on another test and is not joined.</p>
          )}
          <Choice
            name="group"
            now={axis}
            choices={AXES.map((value) => ({
              value,
              label: value === "version" ? "by version" : value === "cost" ? "against cost" : value,
            }))}
          />
        </>
      }
    >
      {points.length === 0 ? (
        <Empty
          title={`No score on ${behavior.name} yet`}
          code={{
            TypeScript: `const run = await tracked.run("v1", { method: "eval", targets: ["${behavior.name}"] })\nawait run.score("${behavior.name}", 83, { ci: 2.7, n: 240, testVersion: "t1" })`,
            Python: `run = tracked.run("v1", method="eval", targets=["${behavior.name}"])\nrun.score("${behavior.name}", 83, ci=2.7, n=240, test_version="t1")`,
            curl: `curl -X POST "$WHILEAI_API_URL/runs/<run>/evals" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d '[{"behavior": "${behavior.name}", "score": 83, "ci": 2.7, "n": 240, "testVersion": "t1"}]'`,
          }}
        >
          <p>Each version that is scored on this behavior stands here with its interval.</p>
        </Empty>
      ) : axis === "cost" ? (
        <CostScatter report={report} priced={book === null ? [] : pricedOf(points, runs, book)} book={book} />
      ) : (
        <ScoreChart points={points} report={report} behavior={behavior} />
      )}
      {points.length === 1 && (
        <p className="note">
          One version is scored. A second on the same test shows whether anything changed: score it, and the difference
          gets an interval.
        </p>
      )}
    </Part>
  );
}

function pointsOf({ behavior, dashboard, runs, scores, serving }: Report, by: GroupBy): ScorePoint[] {
  const versions = scores?.find(({ name }) => name === behavior?.name)?.versions ?? dashboard.versions;
  const served = versions.find(({ v }) => v === serving)?.testVersion;
  const pools = new Map(dashboard.versions.map(({ v, pooled }) => [v, pooled ?? null]));
  const test = behavior?.testVersion ?? served ?? versions.at(-1)?.testVersion ?? null;
  return scorePoints({ versions, runs, test, by }).map((point) => ({
    ...point,
    pooled: pools.get(point.version) ?? null,
  }));
}

function Undeclared({ agent }: { agent: string }): ReactNode {
  const path = putBehavior.path.replace("{id}", agent).replace("{name}", "refund_policy");
  return (
    <Part id="score" title="Held-out score">
      <Empty
        title="No behavior is declared yet"
        code={{
          TypeScript: 'await tracked.behavior("refund_policy", { testVersion: "t1", n: 240, gradedBy: "program" })',
          Python: 'tracked.behavior("refund_policy", test_version="t1", n=240, graded_by="program")',
          curl: `curl -X PUT "$WHILEAI_API_URL${path}" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d '{"testVersion": "t1", "n": 240, "gradedBy": "program"}'`,
        }}
      >
        <p>
          A behavior is one thing that is measured of an agent on a held-out test. Once one is declared and a version is
          scored on it, its scores stand here.
        </p>
      </Empty>
    </Part>
  );
}
