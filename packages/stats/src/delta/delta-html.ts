import { formatFixed, formatPercent, formatSigned } from "@while/schema";
import { countOf } from "../count-of.ts";
import { type ForestRow, forestPlot } from "../page/forest-plot.ts";
import { histogram } from "../page/histogram.ts";
import { type Html, type HtmlContent, html, typographic } from "../page/html.ts";
import { type FindingMark, htmlFindings } from "../page/html-findings.ts";
import { htmlPage, type PageSection, type Tone } from "../page/html-page.ts";
import { htmlTable } from "../page/html-table.ts";
import type { Metric } from "../rows/metric.ts";
import { bounds, changeCell, changeLabel, level, markOf, NOT_MEASURED, points, pText, share } from "./delta-cells.ts";
import { deltaLead, headlineMetric, nameOnPage } from "./delta-lead.ts";
import type { DeltaWarning } from "./delta-warning.ts";
import { formatDeltaReport, SETTINGS } from "./format-delta-report.ts";
import { groupsNote, groupsPlot } from "./groups-plot.ts";
import type { GuardCheck } from "./guard-checks.ts";
import type { MetricDelta } from "./metric-deltas.ts";
import type { DeltaReport } from "./report.ts";
import type { TaskChanges } from "./task-changes.ts";
import { tasksNeededText } from "./tasks-needed.ts";

export interface DeltaHtmlOptions {
  /** What the two sides are called: file names, versions. */
  before?: string;
  after?: string;
}

/**
 * The report as one self-contained page: the verdict, every metric with its interval and the band a re-run moves by, the
 * guards, the groups, what to know, and what the numbers rest on. The same report is the same bytes.
 */
export function deltaHtml(report: DeltaReport, { before = "before", after = "after" }: DeltaHtmlOptions = {}): string {
  const { headline, by, groups } = report;
  const sections: (PageSection | null)[] = [
    { id: "metrics", head: "Metrics", note: metricsNote(report), body: metricsPlot(report) },
    groups === null ? null : { id: "groups", head: `By ${by}`, note: groupsNote(report), body: groupsPlot(report) },
    report.taskChanges === null
      ? null
      : {
          id: "tasks",
          head: "Task by task",
          note: `Each task against itself: the change of ${nameOnPage(headlineMetric(report))}, better to the right.`,
          body: tasksPlot(report, report.taskChanges),
        },
    {
      id: "guards",
      head: "Guards",
      note: html`<p>A guard fails the gate on a proven drop. Its bound says how far it may have fallen all the same, one-sided at 95%.</p>`,
      body: guardsTable(report),
    },
    {
      id: "warnings",
      head: "Warnings",
      note: "Most serious first. A cross fails the gate, a dash leaves it open.",
      body: warningsList(report),
    },
    {
      id: "comparable",
      head: "Comparable?",
      note: "Settings that have to match for a change to be the agent’s, and how much of each run was graded and answered.",
      body: settingsTable(report),
    },
    {
      id: "basis",
      head: "What it rests on",
      note: "Denominators, and the settings that shaped the numbers. No clock in the report: same rows, same page.",
      body: [
        basisTable(report),
        html`<details><summary>The report as text</summary><pre><code>${formatDeltaReport(report)}</code></pre></details>`,
      ],
    },
  ];
  return htmlPage({
    title: `${headline}: ${before} to ${after}`,
    kind: "delta report",
    about: html`${before} to ${after}`,
    verdict: { word: headline, tone: toneOf(headline), lead: deltaLead(report), facts: facts(report) },
    sections: sections.filter((section) => section !== null),
    foot: [`${report.inference} rules, alpha ${report.alpha}`],
  });
}

function toneOf(headline: string): Tone {
  if (headline === "PASS") return "good";
  return headline === "FAIL" ? "bad" : "plain";
}

function facts(report: DeltaReport): string[] {
  const { metrics, level, config, nClusters } = report;
  const { meanA, meanB, ci95, runsCi95, pValue, midP, pMethod, paired, nRowsTotalA, nRowsTotalB, note } = metrics.get(
    headlineMetric(report),
  )!;
  const p = midP ?? pValue;
  const rows =
    nRowsTotalA === nRowsTotalB
      ? `${countOf(nRowsTotalA, "row")} a side`
      : `${nRowsTotalA} and ${countOf(nRowsTotalB, "row")}`;
  const k =
    config.before.k === config.after.k ? `k = ${config.before.k}` : `k = ${config.before.k} and ${config.after.k}`;
  const test = paired ? (midP === null ? "sign-flip" : "sign-flip mid-") : "";
  return [
    ...(meanA === null || meanB === null ? [] : [`${formatFixed(meanA, 3)} to ${formatFixed(meanB, 3)}`]),
    ci95 === null ? "no interval" : `${formatPercent(level)} interval ${bounds(ci95)}`,
    ...(runsCi95 === null ? [] : [`over runs too ${bounds(runsCi95)}`]),
    ...(report.debiased === null
      ? []
      : [
          `by gold ${points(report.debiased.delta)}${report.debiased.ci95 === null ? "" : ` (${bounds(report.debiased.ci95)})`}`,
        ]),
    ...(p === null
      ? []
      : [
          `${test === "" ? "" : `${test}${test.endsWith("-") ? "" : " "}`}p ${p < 0.001 ? "< 0.001" : `= ${formatFixed(p, 3)}`}, ${pMethod === "monte_carlo" ? "drawn" : pMethod}`,
        ]),
    `${rows}, ${k}`,
    ...(nClusters === null
      ? []
      : [`${countOf(report.nPairedTasks, "paired task")} in ${countOf(nClusters, "cluster")} by ${report.cluster}`]),
    ...(note === "" || paired ? [] : ["unpaired"]),
  ];
}

function metricsNote({ noiseBand, noiseRule, level, lowerIsBetter }: DeltaReport): Html {
  const band =
    noiseBand === null
      ? "No re-run says how much a metric moves by itself, so there is no grey band."
      : `Grey: what two runs of one agent differ by, rollouts and all, ±${formatFixed(noiseBand, 3)} for the headline metric (${noiseRule}).`;
  return html`<p>The change of each metric, after minus before, over the tasks that both runs hold. Bar: ${formatPercent(level)} interval, over tasks and, where they were re-run, over runs. ${band}</p>
<p>Solid: the bar is beyond zero. Hollow: not told from noise. Dotted: not measured.${
    lowerIsBetter.length > 0 && " Where lower is better, a fall is the gain."
  }</p><p>p is adjusted among its kind: max-T over guards (Westfall and Young), Benjamini and Hochberg over the others, the target’s own as it is.</p>`;
}

/** The target, the guards, the proxy, and the rest as the report has them: in the order a decision needs them. */
function metricsPlot(report: DeltaReport): Html {
  const { metrics, target, guards, proxy } = report;
  const first = [target, ...guards.keys(), proxy, headlineMetric(report)].filter((metric) => metric !== null);
  const order = [...new Set<Metric>([...first, ...metrics.keys()])];
  return forestPlot({
    rows: order.map((metric) => metricRow(report, metric)),
    nameHead: "metric",
    beforeColumns: [
      { head: "before", numeric: true },
      { head: "after", numeric: true },
    ],
    valueHead: "after − before",
    afterColumns: [{ head: "p", numeric: true }],
    caption: "Change of every metric with its interval and the noise band",
  });
}

function metricRow(report: DeltaReport, metric: Metric): ForestRow {
  const delta = report.metrics.get(metric);
  const roles = [
    metric === report.target ? "target" : "",
    report.guards.has(metric) ? "guard" : "",
    metric === report.proxy ? "proxy" : "",
    report.lowerIsBetter.includes(metric) ? "lower is better" : "",
    delta !== undefined && !delta.paired && delta.delta !== null ? "unpaired" : "",
  ].filter((role) => role !== "");
  const row = { name: nameOnPage(metric), sub: roles.join(", "), strong: metric === headlineMetric(report) };
  if (delta === undefined) {
    return {
      ...{ ...row, estimate: null, interval: null, mark: "open", label: "not measured" },
      ...{ before: ["–", "–"], value: NOT_MEASURED, after: ["–"], reading: "not on both sides" },
    };
  }
  // What cannot move has no interval worth drawing.
  const ci95 = report.guards.get(metric)?.degenerate ? null : (delta.runsCi95 ?? delta.ci95);
  const change = { delta: delta.delta, ci95 };
  return {
    ...row,
    estimate: delta.delta,
    interval: ci95,
    mark: markOf(report, delta),
    band: delta.noiseBand === null || delta.noiseBand === 0 ? null : [-delta.noiseBand, delta.noiseBand],
    label: changeLabel(change),
    before: [level(delta.meanA), level(delta.meanB)],
    value: changeCell(change),
    after: [pText(report.guards.has(metric) ? (delta.pMaxT ?? delta.pAdjusted) : delta.pAdjusted)],
    reading: readingOf(report, metric, delta),
  };
}

function readingOf(report: DeltaReport, metric: Metric, delta: MetricDelta): HtmlContent {
  const { gainVerdict, withinNoise, equivalent, noiseNote, nUsed } = delta;
  const { guards, margin, notComparable, replicated, target } = report;
  if (gainVerdict === "insufficient_data")
    return html`insufficient data<span class="sub">on ${countOf(nUsed, "task")}</span>`;
  if (guards.get(metric)?.degenerate) return "constant, cannot fail";
  const proven = equivalent === true ? html`<span class="sub">proven to be under ±${margin}</span>` : null;
  if (gainVerdict === "no_difference_detected") return html`no change detected${proven}`;
  if (withinNoise) return html`within eval noise${proven}`;
  if (notComparable.length > 0) return "apart, but not comparable";
  const unreplicated =
    metric === (target ?? "pass_at_1") && !replicated
      ? html`<span class="sub">no re-run to hold it against</span>`
      : null;
  const note =
    noiseNote === null
      ? unreplicated
      : html`<span class="sub">${noiseNote === "deterministic_rerun" ? "re-runs all alike" : "no re-run of this one"}</span>`;
  if (gainVerdict === "b_better") return html`<span class="good">moved</span>${note}`;
  if (guards.has(metric)) return html`<b class="bad">fell</b>, guarded${note}`;
  if (metric === headlineMetric(report)) return html`<b class="bad">fell</b>${note}`;
  return html`<span class="bad">slipped</span>, not guarded${note}`;
}

function tasksPlot(report: DeltaReport, { nBetter, nWorse, nSame, bars }: TaskChanges): Html {
  const spread = bars.length > 0 && bars.some(({ from, to }) => from !== to);
  const name = ({ from, to }: TaskChanges["bars"][number]) => {
    const at = (value: number) => typographic(formatSigned(value, 2)).replace(/^\+0\.00$/, "0");
    // Of a range the end that is farther from no change.
    return from === to ? at(from) : at(Math.abs(from) > Math.abs(to) ? from : to);
  };
  const words = `${nBetter} better, ${nWorse} worse, ${nSame} the same`;
  const needed = tasksNeededText(report);
  // Two evals that cannot be compared have no better and no worse task.
  const mark = (gain: number) => (report.notComparable.length > 0 || gain === 0 ? "rest" : gain > 0 ? "good" : "bad");
  return html`<p>${countOf(nBetter + nWorse + nSame, "task")}: ${words}.${
    needed !== null && html` The gain seen would have needed ${needed}.`
  }</p>${histogram({
    bars: bars.map((bar) => ({
      label: name(bar),
      n: bar.n,
      mark: mark(bar.from + bar.to),
    })),
    ...{ labelHead: spread ? "change, up to" : "change", countHead: "tasks", label: `Tasks by their change: ${words}` },
    anchor: Math.max(
      0,
      bars.findIndex(({ from, to }) => from === 0 && to === 0),
    ),
  })}`;
}

function guardsTable({ guards, guardMode, margin, metrics }: DeltaReport): Html {
  if (guards.size === 0)
    return html`<p class="quiet small">No guard was named: only the headline metric can fail the gate.</p>`;
  const word = (metric: Metric, { measured, degenerate, nonInferior }: GuardCheck): HtmlContent => {
    if (!measured) return html`<span class="none">not measured</span>`;
    if (degenerate) return "constant, cannot fail";
    const delta = metrics.get(metric)!;
    if (delta.gainVerdict === "a_better" && !delta.withinNoise) return html`<b class="bad">fell</b>`;
    if (nonInferior === true) return html`<span class="good">held</span>, a drop of its margin is ruled out`;
    return guardMode === "prove" ? html`<b class="bad">not proven</b>` : "no drop seen, none ruled out";
  };
  return htmlTable({
    columns: [
      { head: "guard" },
      { head: "change", numeric: true },
      { head: "no lower than", numeric: true },
      { head: "margin", numeric: true, wideOnly: true },
      { head: "smallest drop it would show", numeric: true, wideOnly: true },
      { head: "reading" },
    ],
    rows: Array.from(guards, ([metric, check]) => [
      nameOnPage(metric),
      metrics.has(metric) ? points(metrics.get(metric)!.delta) : NOT_MEASURED,
      check.lower95 === null ? NOT_MEASURED : points(check.lower95),
      String(check.margin ?? margin),
      share(check.visibleDrop),
      word(metric, check),
    ]),
    caption:
      guardMode === "prove"
        ? "Each guard has to show that it did not fall by its margin; a gain is positive, also where lower is better."
        : "Positive is better, also where lower is better.",
  });
}

function warningsList(report: DeltaReport): Html {
  if (report.warnings.length === 0) return html`<p class="quiet small">Nothing to warn of.</p>`;
  return htmlFindings(report.warnings.map(({ code, text }) => ({ mark: warningMark(report, code), text, code })));
}

function warningMark({ failures }: DeltaReport, code: DeltaWarning["code"]): FindingMark {
  if (code === "guard_not_measured" || code === "target_not_measured")
    return failures.includes(code) ? "open" : "warning";
  const fails: readonly string[] = failures;
  return fails.includes(code) ? "fails" : "warning";
}

function settingsTable(report: DeltaReport): HtmlContent {
  const { config, metrics, gradedBound, notComparable } = report;
  const { nPaired, nOnlyA, nOnlyB } = metrics.get(headlineMetric(report))!;
  const { before, after } = config;
  const known = (side: DeltaReport["config"]["before"], name: string, value: string | number | null): HtmlContent => {
    if (value !== null) return value;
    return html`<span class="none">${side.mixed.includes(name) ? "several values" : "not recorded"}</span>`;
  };
  const percent = (value: number | null): HtmlContent =>
    value === null ? html`<span class="none">not recorded</span>` : formatPercent(value, 1);
  return [
    notComparable.length > 0 &&
      html`<p class="small"><b>Not comparable: ${notComparable.join(", ")}.</b> The reasons are the first warnings.</p>`,
    htmlTable({
      columns: [{ head: "setting" }, { head: "before" }, { head: "after" }],
      rows: [
        [
          "tasks with the headline metric",
          `${nPaired} shared, ${nOnlyA} only here`,
          `${nPaired} shared, ${nOnlyB} only here`,
        ],
        ...SETTINGS.map(([name, key]) => [
          name,
          known(before, name, before[key] as string | number | null),
          known(after, name, after[key] as string | number | null),
        ]),
        ["graded", percent(before.gradedShare), percent(after.gradedShare)],
        ["answered", percent(before.answeredShare), percent(after.answeredShare)],
        ["cut by the token cap", percent(before.truncatedShare), percent(after.truncatedShare)],
      ],
    }),
    gradedBound !== null &&
      gradedBound > 0 &&
      html`<p class="small quiet">Ungraded rows could move the delta by ${formatFixed(gradedBound, 3)}.</p>`,
  ];
}

function goldText({ before, after }: NonNullable<DeltaReport["debiased"]>): string {
  const side = ({ corrected, judged, nGold, nGoldTasks }: typeof before) =>
    `${formatFixed(corrected, 3)} where the judge has ${formatFixed(judged, 3)}, by ${countOf(nGold, "label")} on ${countOf(nGoldTasks, "task")}`;
  return `before ${side(before)}; after ${side(after)}`;
}

function trainingText({ trainRuns, trainCi95 }: NonNullable<DeltaReport["training"]>): string {
  const arm = (n: number | null) => (n === null ? "not trained" : countOf(n, "run"));
  const interval = trainCi95 === null ? "no interval, a spread needs two" : bounds(trainCi95);
  return `before ${arm(trainRuns.before)}, after ${arm(trainRuns.after)}; with their spread ${interval}`;
}

function basisTable(report: DeltaReport): Html {
  const { evalRuns, nPairedTasks, nUnpairedTasks, detectableEffect } = report;
  const {
    level,
    alpha,
    margin,
    guardMode,
    inference,
    nMetrics,
    familyError,
    runStd,
    runStdSource,
    noiseBand,
    noiseRule,
  } = report;
  const { nRowsA, nRowsB, nRowsTotalA, nRowsTotalB } = report.metrics.get(headlineMetric(report))!;
  const noise =
    runStdSource === null
      ? "no re-run and no run_std"
      : runStd === null
        ? "no floor for the headline metric"
        : `run_std ${formatFixed(runStd, 4)}, band ${formatFixed(noiseBand, 4)} = ${noiseRule}`;
  return htmlTable({
    columns: [{ head: "what" }, { head: "value" }],
    rows: [
      ["rows with the headline metric", `${nRowsA} of ${nRowsTotalA} before, ${nRowsB} of ${nRowsTotalB} after`],
      ["paired tasks", `${nPairedTasks}, and ${nUnpairedTasks} on one side only`],
      ...(report.nClusters === null
        ? []
        : [["clusters", `${report.nClusters} by ${report.cluster}: what varies are clusters, not tasks`]]),
      ["runs of the eval", `${evalRuns.before} before, ${evalRuns.after} after (0: no row names its run)`],
      ["eval noise", noise],
      ...(report.debiased === null ? [] : [["by gold", goldText(report.debiased)]]),
      ...(report.training === null ? [] : [["training runs", trainingText(report.training)]]),
      ["smallest gain these tasks would show", share(detectableEffect)],
      [
        "tasks that would prove the gain seen",
        tasksNeededText(report) ?? html`<span class="none">no gain to prove</span>`,
      ],
      ["metrics", `${nMetrics}; chance of some false alarm up to ${formatPercent(familyError)}`],
      ["rules", `${inference}, alpha ${alpha}, ${formatPercent(level)} intervals`],
      ["guards", `${guardMode === "prove" ? "have to prove" : "fail on a proven drop"}; margin ${margin}`],
    ],
  });
}
