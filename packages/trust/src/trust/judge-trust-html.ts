import { formatFixed, formatInterval, formatSigned } from "@while/schema";
import {
  type CountCell,
  countSquares,
  type Finding,
  type FindingMark,
  type ForestMark,
  type ForestRow,
  forestPlot,
  type Html,
  type HtmlContent,
  html,
  htmlFindings,
  htmlPage,
  htmlTable,
  type Interval,
  type PageSection,
  shareCurves,
} from "@while/stats";
import type { JudgeSeverity } from "../agreement/finding.ts";
import { goldWords } from "../agreement/gold.ts";
import type { LengthGap, NoLengthGap } from "../agreement/length-sensitivity.ts";
import { wholePercent } from "../agreement/whole-percent.ts";
import { labelPower } from "../labels/label-power.ts";
import { formatJudgeTrust } from "./format-judge-trust.ts";
import type { JudgeTrust, TrustStatus } from "./trust-report.ts";

export interface JudgeTrustHtmlOptions {
  /** What was graded: the name of a file. */
  about?: string;
}

/** Rows of a queue that the page shows. */
const SHOWN = 20;

const WORDS: Readonly<Record<TrustStatus, string>> = {
  pass: "PASS",
  fail: "FAIL",
  not_measured: "NOT MEASURED",
  inconclusive: "INCONCLUSIVE",
};

/**
 * The report as one self-contained page: the verdict, what was found, the shares against their floors, what the judge is
 * swayed by, and the rows to read. The same report is the same bytes.
 */
export function judgeTrustHtml(report: JudgeTrust, { about = "" }: JudgeTrustHtmlOptions = {}): string {
  const { status, rule } = report;
  const [lead = ""] = formatJudgeTrust(report).split("\n");
  const word = WORDS[status];
  const sections: (PageSection | null)[] = [
    {
      id: "findings",
      head: "Findings",
      note: "A cross fails the judge, a dash is what these labels leave open or another rule would say.",
      body: findingsList(report),
    },
    report.agreement.n === 0
      ? null
      : {
          id: "labels",
          head: "Against labels",
          note: html`<p>How often the judge says what ${goldWords(report.goldKind)} say, with 95% intervals. Upright line: the floor that a lower bound is held against.</p>`,
          body: [labelsPlot(report), confusionSquares(report), budgetCurves(report)],
        },
    {
      id: "bias",
      head: "What sways it",
      note: "Length inside one gold label, so that it cannot stand for quality. Probes put a hack beside a failed reply, or in place of any.",
      body: [lengthTable(report), judgedTable(report), probesPlot(report)],
    },
    report.contradictions.length + report.disagreements.length === 0
      ? null
      : {
          id: "queue",
          head: "Read next",
          note: "Replies that the judge both passed and failed first, then rows where it and the label differ.",
          body: [contradictionsTable(report), disagreementsTable(report)],
        },
    {
      id: "basis",
      head: "What it rests on",
      note: "Denominators and settings. No clock in the report: same rows, same page.",
      body: [
        basisTable(report),
        html`<details><summary>The report as text</summary><pre><code>${formatJudgeTrust(report)}</code></pre></details>`,
      ],
    },
  ];
  return htmlPage({
    title: `${word}: judge trust${about === "" ? "" : `, ${about}`}`,
    kind: "judge trust",
    about,
    verdict: {
      word,
      tone: status === "pass" ? "good" : status === "fail" ? "bad" : "plain",
      lead: leadOf(report, lead),
      facts: facts(report),
    },
    sections: sections.filter((section) => section !== null),
    foot: [`rule ${rule}`],
  });
}

/** The headline as a sentence: its codes are for programs. */
function leadOf({ status, findings }: JudgeTrust, headline: string): string {
  if (status === "fail") {
    const n = findings.filter(({ severity }) => severity === "fail").length;
    return `Do not train on what this judge says: ${n === 1 ? "one finding fails it" : `${n} findings fail it`}.`;
  }
  const text = headline.slice(headline.indexOf(": ") + 2);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function facts({ agreement, skipped, goldKind }: JudgeTrust): string[] {
  const { n, agreement: share, ci95, kappa } = agreement;
  if (share === null) return [];
  const left = skipped.nGold - skipped.nUsed;
  return [
    `${n} ${goldWords(goldKind)}`,
    `agreement ${wholePercent(share)} ${formatInterval(ci95)}`,
    kappa === null ? "kappa not measured" : `kappa ${formatFixed(kappa, 2)}`,
    ...(left === 0 ? [] : [`${left} labeled rows without a verdict of 0 or 1`]),
  ];
}

const MARKS: Readonly<Record<JudgeSeverity, FindingMark>> = {
  fail: "fails",
  open: "open",
  warn: "warning",
  note: "open",
};

function findingsList({ findings }: JudgeTrust): Html {
  if (findings.length === 0) return html`<p class="quiet small">Nothing was found against it.</p>`;
  return htmlFindings(
    findings.map(({ code, severity, message }): Finding => ({ mark: MARKS[severity], text: message, code })),
  );
}

function labelsPlot({ agreement, floors, heldOutHalves, ceiling, rule }: JudgeTrust): Html {
  const { clustered, kappa, kappaCi95, tpr, tprCi95, tnr, tnrCi95 } = agreement;
  const strict = rule === "strict";
  const row = (
    name: string,
    estimate: number | null,
    interval: Interval | null,
    { sub = "", floor = null, strong = false }: { sub?: string; floor?: number | null; strong?: boolean } = {},
  ): ForestRow => ({
    ...{ name, sub, strong, estimate, interval, threshold: floor, mark: markOf(interval, floor) },
    label: `${formatFixed(estimate, 2)} ${formatInterval(interval)}`,
    value: html`${formatFixed(estimate, 2)}${interval !== null && html` <span class="sub">${formatInterval(interval)}</span>`}`,
    reading: readingOf(interval, floor),
  });
  const { a, b } = heldOutHalves;
  return forestPlot({
    kind: "level",
    nameHead: "share",
    valueHead: "estimate",
    caption: "Agreement, kappa and both error rates with their intervals and floors",
    rows: [
      row("agreement", agreement.agreement, agreement.ci95, { floor: floors.minAgreement, strong: true }),
      ...(clustered === null
        ? []
        : [
            row("agreement", agreement.agreement, clustered.ci95, {
              sub: `${clustered.nTasks} tasks as draws`,
              floor: strict ? floors.minAgreement : null,
            }),
          ]),
      row("kappa", kappa, kappaCi95, { sub: strict ? "by its interval" : "by its value", floor: floors.minKappa }),
      row("right on passes", tpr, tprCi95, { floor: strict ? floors.minClassRate : null }),
      row("right on fails", tnr, tnrCi95, { floor: strict ? floors.minClassRate : null }),
      row("half a of the tasks", a.agreement, a.ci95, { sub: `${a.n} rows` }),
      row("half b of the tasks", b.agreement, b.ci95, { sub: `${b.n} rows` }),
      ...(ceiling === null
        ? []
        : [
            row("people with people", ceiling.humanAgreement, null, {
              sub: `${ceiling.pair.join(", ")}: ${ceiling.nHuman} rows`,
            }),
          ]),
    ],
  });
}

function markOf(interval: Interval | null, floor: number | null): ForestMark {
  if (interval === null || floor === null) return "plain";
  if (interval[0] >= floor) return "good";
  return interval[1] < floor ? "bad" : "open";
}

function readingOf(interval: Interval | null, floor: number | null): HtmlContent {
  if (interval === null) return html`<span class="none">no interval</span>`;
  if (floor === null) return "";
  if (interval[0] >= floor) return html`<span class="good">over its floor ${floor}</span>`;
  if (interval[1] < floor) return html`<b class="bad">under its floor ${floor}</b>`;
  return `on both sides of ${floor}`;
}

function confusionSquares({ agreement: { confusion } }: JudgeTrust): Html {
  const { tp, fp, fn, tn } = confusion;
  const of = (n: number, all: number, mark: "rest" | "bad"): CountCell => ({
    ...{ n, mark },
    ...(all === 0 ? {} : { note: wholePercent(n / all) }),
  });
  return countSquares({
    rowHeads: ["judge passes", "judge fails"],
    columnHeads: ["gold passes", "gold fails"],
    cells: [
      [of(tp, tp + fn, "rest"), of(fp, fp + tn, "bad")],
      [of(fn, tp + fn, "bad"), of(tn, fp + tn, "rest")],
    ],
    caption: "Verdicts of the judge by gold label, shares of each column",
  });
}

/** Most labels that a curve is drawn to, points on it, and how far it goes on behind what is asked for. */
const CURVE_MAX = 1000;
const CURVE_POINTS = 200;
const CURVE_ROOM = 1.2;

/** What more labels would bring, at the shares that these show; nothing where no number of them would do. */
function budgetCurves({ labelPlan, agreement: { confusion } }: JudgeTrust): HtmlContent {
  const { tp, fp, fn, tn } = confusion;
  const parts = [
    { name: "agreement, all labels", plan: labelPlan.agreement, now: tp + fp + fn + tn },
    { name: "right on passes, labels that pass", plan: labelPlan.passes, now: tp + fn },
    { name: "right on fails, labels that fail", plan: labelPlan.fails, now: fp + tn },
  ].flatMap(({ plan, ...part }) => (plan?.n == null ? [] : [{ ...part, plan, goal: plan.n }]));
  if (parts.length === 0) {
    return html`<p class="quiet small">No number of labels would clear the floors at these shares: it is the judge that has to change.</p>`;
  }
  const most = Math.max(...parts.flatMap(({ now, goal }) => [now, goal]));
  const upTo = Math.min(CURVE_MAX, Math.ceil(CURVE_ROOM * most));
  const step = Math.max(1, Math.floor(upTo / CURVE_POINTS));
  return [
    html`<h3>What more labels would bring</h3>`,
    html`<p class="quiet small">Chance that the lower bound clears its floor, should the shares seen be the judge's. Ring: labels there are. Dot: labels from which on the chance is ${wholePercent(parts[0]!.plan.power)}, the line across.</p>`,
    shareCurves({
      curves: parts.map(({ name, plan, now, goal }) => ({
        ...{ name, goal },
        // A saw of a thousand teeth is drawn by some, and by those that are pointed at.
        points: labelPower({ agreement: plan.agreement, floor: plan.floor, upTo }).filter(
          ([labels]) => labels % step === 0 || labels === now || labels === goal,
        ),
        ...(now <= upTo ? { now } : {}),
      })),
      ...{ upTo, wanted: parts[0]!.plan.power, xHead: "labels", shareHead: "chance" },
      label: `Chance of clearing the floors by number of labels: ${parts.map(({ name, goal }) => `${name}, ${goal}`).join("; ")}`,
    }),
  ];
}

function lengthTable({ lengthSensitivity: length, goldDegenerate }: JudgeTrust): Html {
  if (goldDegenerate) return html`<p class="quiet small">Length is not measured: gold has one class alone.</p>`;
  const cells = (name: string, gap: LengthGap | NoLengthGap): HtmlContent[] =>
    "note" in gap
      ? [name, String(gap.n), "–", "–", gap.note, "", ""]
      : [
          name,
          String(gap.n),
          wholePercent(gap.judgePassShort),
          wholePercent(gap.judgePassLong),
          formatSigned(gap.gapLongMinusShort, 2),
          pText(gap.pValue),
          String(gap.medianChars),
        ];
  const { pooled } = length;
  return htmlTable({
    columns: [
      { head: "label" },
      { head: "n", numeric: true, wideOnly: true },
      { head: "short passed", numeric: true },
      { head: "long passed", numeric: true },
      { head: "difference", numeric: true },
      { head: "p", numeric: true, wideOnly: true },
      { head: "long from, characters", numeric: true, wideOnly: true },
    ],
    rows: [
      cells("pass", length.gold_1),
      cells("fail", length.gold_0),
      ...(pooled === null ? [] : [["both", "", "", "", formatSigned(pooled.delta, 2), pText(pooled.pValue), ""]]),
    ],
    caption: length.flagged ? "Flagged: the judge pays for length." : "Verdicts on short and long replies",
  });
}

function judgedTable({ perturbation, variants }: JudgeTrust): HtmlContent {
  if (perturbation === null)
    return html`<p class="quiet small">The judge was not called again: pass it to read its noise and the probes.</p>`;
  const { n, consistencyFlipRate, consistencyCi95, nFiller, fillerFlipRate, fillerFlipsUp, fillerFlipsDown, errors } =
    perturbation;
  return htmlTable({
    columns: [{ head: "judged again" }, { head: "n", numeric: true }, { head: "changed" }],
    rows: [
      ["as it is", String(n), `${wholePercent(consistencyFlipRate)} ${formatInterval(consistencyCi95)}`],
      [
        "with filler",
        String(nFiller),
        `${wholePercent(fillerFlipRate)}, ${fillerFlipsUp} up and ${fillerFlipsDown} down`,
      ],
      ...[...(variants?.variants ?? [])].map(([name, { n: read, flipRate, ci95, flagged }]) => [
        `asked otherwise: ${name}`,
        String(read),
        html`${wholePercent(flipRate)} ${formatInterval(ci95)}${flagged && html` <b class="bad">fragile</b>`}`,
      ]),
      ["calls without a verdict", String(errors), ""],
    ],
  });
}

function probesPlot({ probes }: JudgeTrust): HtmlContent {
  if (probes === null || probes.probes.size === 0) return null;
  return forestPlot({
    kind: "level",
    nameHead: "probe",
    valueHead: "works on",
    caption: "Share of rows on which each hack works",
    rows: [...probes.probes].map(([name, probe]): ForestRow => {
      const { exploitRate, ci95, denominator, hits, skipped, flagged, lowPower } = probe;
      return {
        ...{ name, sub: probe.kind, estimate: exploitRate, interval: ci95 },
        mark: flagged ? "bad" : lowPower ? "open" : "plain",
        label: skipped ?? `${wholePercent(exploitRate)} ${formatInterval(ci95)}`,
        value: exploitRate === null ? html`<span class="none">not measured</span>` : `${hits} of ${denominator}`,
        reading: flagged ? html`<b class="bad">exploitable</b>` : (skipped ?? (lowPower ? "too few rows" : "")),
      };
    }),
  });
}

function contradictionsTable({ contradictions }: JudgeTrust): HtmlContent {
  if (contradictions.length === 0) return null;
  return htmlTable({
    columns: [
      { head: "task" },
      { head: "passed", numeric: true },
      { head: "failed", numeric: true },
      { head: "reply" },
    ],
    rows: contradictions
      .slice(0, SHOWN)
      .map(({ task, nPass, nFail, finalText }) => [task, String(nPass), String(nFail), finalText]),
    caption: `One reply, two verdicts: ${contradictions.length}`,
  });
}

function disagreementsTable({ disagreements }: JudgeTrust): HtmlContent {
  if (disagreements.length === 0) return null;
  return htmlTable({
    columns: [{ head: "row" }, { head: "judge" }, { head: "reason", wideOnly: true }, { head: "reply" }],
    rows: disagreements
      .slice(0, SHOWN)
      .map(({ rowKey, judge, reason, finalText }) => [
        rowKey,
        judge === 1 ? "too\u00a0kind" : "too\u00a0strict",
        reason,
        finalText,
      ]),
    caption: `Disagreements: ${disagreements.length}${disagreements.length > SHOWN ? `, the first ${SHOWN}` : ""}`,
  });
}

function pText(p: number): string {
  return p < 0.001 ? "< 0.001" : formatFixed(p, 3);
}

function basisTable(report: JudgeTrust): Html {
  const { nRows, nLabeled, nUntrusted, nTuned, skipped, floors, rule, labelPlan } = report;
  const plan = [
    ...(labelPlan.agreement?.n == null ? [] : [`${labelPlan.agreement.n} for agreement`]),
    ...(labelPlan.passes?.n == null ? [] : [`${labelPlan.passes.n} passes`]),
    ...(labelPlan.fails?.n == null ? [] : [`${labelPlan.fails.n} failures`]),
  ];
  return htmlTable({
    columns: [{ head: "what" }, { head: "value" }],
    rows: [
      ["rows", String(nRows)],
      ["labeled, with a verdict", String(nLabeled)],
      ["left out, gold not trusted", String(nUntrusted)],
      ...(nTuned === 0 ? [] : [["left out, the judge was tuned on them", String(nTuned)]]),
      ["gold, partial credit", `${skipped.fractional} of ${skipped.nGold}, at most ${floors.maxSkippedShare}`],
      ["gold, no verdict", `${skipped.unscored} of ${skipped.nGold}`],
      ["rule", rule],
      [
        "floors",
        `agreement ${floors.minAgreement}, kappa ${floors.minKappa}, by the strict rule each class ${floors.minClassRate}`,
      ],
      ["labels that would do at these shares", plan.length === 0 ? "no number would" : plan.join(", ")],
    ],
  });
}
