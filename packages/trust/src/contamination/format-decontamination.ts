import { cutCodePoints, formatFixed, formatPercent } from "@while/schema";
import type { DecontaminationReport } from "./decontamination-report.ts";
import type { FalseAlarmRate, FalseAlarms } from "./false-alarms.ts";
import type { Hit } from "./finding.ts";
import { bandRecall } from "./min-hash.ts";
import { PROFILES } from "./profiles.ts";

/** Rows that are named in the text; the report has more. */
const NAMED_ROWS = 5;
/** From this share of the hits on, one run of words is the first thing to look at. */
const EXPLAINS = 0.5;
const MIN_EXPLAINED = 3;
const SHOWN_CHARS = 160;

/** The verdict, a line for each rule, the first rows with the words they share, and what the counts do not say. */
export function formatDecontamination(report: DecontaminationReport): string {
  const { n, nKept, nContaminated, contaminationRate, rules, profile, nEvalRows } = report;
  const by = profile === "while" ? `rules ${rules}` : `rules ${rules} as ${profile}`;
  const lines = [
    `decontaminate: ${nContaminated} of ${n} rows dropped (${formatPercent(contaminationRate, 1)}), ${nKept} kept; against ${nEvalRows} evaluation ${nEvalRows === 1 ? "row" : "rows"}, ${by}${spanVerdict(report)}`,
    ...ruleLines(report),
  ];
  if (report.evalMarks !== null) {
    const { clean, between, dirty } = report.evalMarks;
    const [low, high] = PROFILES[profile].marks!.map((share) => formatPercent(share));
    lines.push(
      `  evaluation texts by what a row holds of them: ${clean} under ${low}, ${between} between, ${dirty} from ${high} on`,
    );
  }
  lines.push(...falseAlarmLines(report.falseAlarms));
  if (report.byField.size > 0) {
    lines.push(`  by field: ${[...report.byField].map(([field, count]) => `${field} ${count}`).join(", ")}`);
  }
  if (report.evalHitRows.size > 0) {
    const tasks = [...report.evalHitRows].slice(0, NAMED_ROWS).map(([task, rows]) => `${short(task)} ${rows}`);
    lines.push(`  evaluation tasks hit: ${report.hitTasks.length}; most often ${tasks.join(", ")}`);
  }
  lines.push(...rowLines("dropped", report.examples, nContaminated));
  lines.push(...rowLines("listed and kept", report.relatedExamples, report.nRelated));
  lines.push(...spanLines(report));
  for (const warning of report.warnings) lines.push(`! ${warning}`);
  for (const note of report.notes) lines.push(`- ${note}`);
  return lines.join("\n");
}

/** Where one template explains most hits, nobody should read the count without it. */
function spanVerdict({ sharedSpans: [span], nNear, nContains, shingles }: DecontaminationReport): string {
  const hits = nNear + nContains;
  if (span === undefined || span.nHits < MIN_EXPLAINED || span.nHits < EXPLAINS * hits) return "";
  return `; one run of ${span.nTokens} ${unitOf({ shingles })} explains ${span.nHits} of the ${hits} hits by shared words`;
}

function ruleLines(report: DecontaminationReport): string[] {
  const { rulesSkipped, overlap, evalOverlap, ngram, jaccard, similarity, relatedThreshold } = report;
  const line = (rule: string, count: number, about: string, skipped?: string): string =>
    `  ${rule.padEnd(10)} ${skipped === undefined ? String(count).padStart(5) : "    -"}  ${skipped === undefined ? about : `skipped: ${skipped}`}`;
  const lines = [
    line("same task", report.nSameTask, "a task id of the evaluation", rulesSkipped.get("same_task")),
    line("exact", report.nExact, "an evaluation text word for word"),
    line(
      "near",
      report.nNear,
      `runs of ${ngram} ${unitOf(report)} of one evaluation text cover ${formatPercent(overlap)} of the row`,
    ),
  ];
  if (report.rules === "v2") {
    lines.push(line("contains", report.nContains, `the row holds ${formatPercent(evalOverlap)} of an evaluation text`));
  }
  if (jaccard !== null) {
    const share = formatFixed(100 * bandRecall(jaccard), 1);
    const about = `nearly an evaluation prompt, Jaccard of at least ${jaccard}; ${share}% of such pairs are found`;
    lines.push(line("duplicate", report.nNearDuplicate, about));
  }
  if (similarity !== null) {
    lines.push(line("semantic", report.nSemantic, `cosine of at least ${similarity}`, rulesSkipped.get("semantic")));
  }
  if (report.judge !== null) {
    lines.push(
      line("judge", report.nJudge, `listed, and an evaluation question by the judge; ${report.judge.nAsked} asked`),
    );
  }
  if (relatedThreshold !== null || rulesSkipped.has("related") || report.nRelated > 0) {
    const about =
      relatedThreshold === null
        ? "listed, not dropped"
        : `reads as reworded, score and lead over ${formatFixed(relatedThreshold, 2)}; listed, not dropped`;
    lines.push(line("related", report.nRelated, about, rulesSkipped.get("related")));
  }
  if (report.nShort > 0)
    lines.push(line("short", report.nShort, "a question of a few words but for one of them; listed, not dropped"));
  if (report.nCode > 0)
    lines.push(line("code", report.nCode, "a program of the evaluation with other names; listed, not dropped"));
  if (report.nNumberSwap > 0)
    lines.push(line("numbers", report.nNumberSwap, "a copy but for its numbers; not dropped for that"));
  return lines;
}

/** What each rule makes of texts that hold nothing of the evaluation. */
function falseAlarmLines({ evaluation, knownClean }: FalseAlarms): string[] {
  const line = (what: string, rates: readonly FalseAlarmRate[] | null): string[] => {
    if (rates === null || rates.length === 0) return [];
    const each = rates.map(({ rule, n, nHits, ci95: [low, high] }) => {
      const interval = `${formatFixed(100 * low, 1)}..${formatFixed(100 * high, 1)}%`;
      return `${rule.replace("_", " ")} ${nHits} of ${n} (${interval})`;
    });
    return [`  ${what}: ${each.join(", ")}`];
  };
  return [
    ...line("false alarms, evaluation prompts against other tasks", evaluation),
    ...line("false alarms, rows known to be clean", knownClean),
  ];
}

function rowLines(what: string, hits: readonly Hit[], count: number): string[] {
  if (hits.length === 0) return [];
  const judged = ({ judged: isSame }: Hit): string =>
    isSame === null ? "" : `, ${isSame ? "the same" : "another question"} by the judge`;
  const longest = (hit: Hit): string => (hit.longestMatch === null ? "" : `, longest run ${hit.longestMatch}`);
  const lines = [
    `${what}, the first ${Math.min(NAMED_ROWS, hits.length)}${count > hits.length ? ` of ${count}` : ""}:`,
  ];
  for (const hit of hits.slice(0, NAMED_ROWS)) {
    lines.push(
      `  row ${hit.index} ${hit.field} ${hit.rule}${measured(hit)}${longest(hit)}${judged(hit)}${hit.evalTask === "" ? "" : ` ~ ${short(hit.evalTask)}`}`,
    );
    if (hit.shared !== null) {
      lines.push(`    ${hit.rule === "related" ? "both have: " : ""}${cutCodePoints(hit.shared, SHOWN_CHARS)}`);
    }
    if (hit.evalPrompt !== null && hit.rule !== "exact" && hit.evalPrompt !== "") {
      lines.push(`    asks: ${short(hit.evalPrompt, 100)}`);
    }
  }
  return lines;
}

function measured({ similarity, lead, coverage, evalCoverage, rule }: Hit): string {
  if (lead !== null) return ` ${formatFixed(similarity, 2)}, ${formatFixed(lead, 2)} ahead of the next`;
  if (similarity !== null) return ` ${formatFixed(similarity, 2)}`;
  if (rule === "contains") return `, ${formatPercent(evalCoverage)} of the evaluation text`;
  return rule === "near" || rule === "code" || rule === "background" || rule === "number_swap"
    ? `, ${formatPercent(coverage)} of the row`
    : "";
}

function spanLines(report: DecontaminationReport): string[] {
  const { sharedSpans: spans } = report;
  if (spans.length === 0) return [];
  return [
    "runs of words that several hits share:",
    ...spans.map(({ nHits, nTokens, text }) => `  ${nHits} hits, ${nTokens} ${unitOf(report)}: ${short(text, 100)}`),
  ];
}

function unitOf({ shingles }: Pick<DecontaminationReport, "shingles">): string {
  return shingles === "words" ? "words" : "characters";
}

function short(text: string, chars = 60): string {
  const flat = text.replaceAll(/\s+/g, " ");
  const cut = cutCodePoints(flat, chars);
  return cut === flat ? flat : `${cut}…`;
}
