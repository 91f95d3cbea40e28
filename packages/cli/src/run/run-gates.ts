import { formatPercent } from "@while/schema";
import type { GateRefusal, HackScanReport } from "@while/select";
import { type DecontaminationReport, formatJudgeTrust, type JudgeTrust, type TraceFlagReport } from "@while/trust";
import { shellWords } from "../shell-words.ts";
import type { GateOutcome, RunGate } from "./run-gate.ts";
import type { RunReport } from "./run-report.ts";

/** Everything that gates are answered from: a report before them. */
type Asked = Omit<RunReport, "verdict" | "gates" | "files">;

/** The gates of a run in the order of the loop. */
export function gatesOf(report: Asked): RunGate[] {
  const files = shellWords(report.sources);
  return [
    judgeGate(report.judgeTrust, files),
    tracesGate(report.traces, files),
    contaminationGate(report.decontamination, files, report.holdout),
    hackGate(report.hackScan, files),
    selectionGate(report, files),
    ...(report.gate === null ? [] : [publishing(report.gate, files)]),
    ...(report.outcome === "written" || report.outcome === "refused" ? [exportGate(report, files)] : []),
  ];
}

const OF_TRUST: Readonly<Record<JudgeTrust["status"], GateOutcome>> = {
  pass: "holds",
  fail: "fails",
  not_measured: "open",
  inconclusive: "open",
};

function judgeGate(trust: JudgeTrust, files: string): RunGate {
  const [headline = ""] = formatJudgeTrust(trust).split("\n");
  const failed = trust.findings.find(({ severity }) => severity === "fail");
  return {
    verb: "judge-trust",
    question: "May the rewards be believed?",
    outcome: OF_TRUST[trust.status],
    text: sentence(failed?.message ?? headline.slice(headline.indexOf(": ") + 2)),
    next:
      trust.status === "pass"
        ? null
        : trust.nLabeled === 0
          ? `wai label ${files} --labels labels.jsonl --kind human -o labeled.jsonl`
          : `wai judge-trust ${files}`,
  };
}

/** Nothing is required of a flag here, so that none fails the run; a reward that pays for one is said first. */
function tracesGate({ flags, n }: TraceFlagReport, files: string): RunGate {
  const fired = [...flags].filter(([, flag]) => flag.n > 0);
  const paid = fired.filter(([, { flagged }]) => flagged).map(([name]) => name);
  const most = fired.toSorted(([, a], [, b]) => b.n - a.n)[0];
  return {
    verb: "traces",
    question: "Did the agent fake it?",
    outcome: fired.length === 0 ? "holds" : "warns",
    text:
      paid.length > 0
        ? `The reward pays for ${paid.join(", ")}.`
        : most === undefined
          ? `No flag fired on ${counted(n, "row")}.`
          : `${counted(fired.length, "flag")} fired, most often ${most[0]} (${most[1].n} of ${n} rows); the reward is not seen to pay for any.`,
    next: fired.length === 0 ? null : `wai traces ${files}`,
  };
}

function contaminationGate(report: DecontaminationReport | null, files: string, holdout: readonly string[]): RunGate {
  const gate = { verb: "decontaminate", question: "Is the evaluation in these rows?" };
  if (report === null) {
    const text = "No evaluation was named, so nobody looked.";
    return { ...gate, outcome: "skipped", text, next: `wai decontaminate ${files} --against EVAL` };
  }
  const { n, nContaminated, contaminationRate, nEvalTexts } = report;
  const next = `wai decontaminate ${files} --against ${shellWords(holdout)}`;
  if (nEvalTexts === 0) {
    return { ...gate, outcome: "open", text: "The evaluation has no text to compare with.", next };
  }
  if (nContaminated === 0) {
    return { ...gate, outcome: "holds", text: `None of ${n} rows holds any of its ${nEvalTexts} texts.`, next: null };
  }
  const share = formatPercent(contaminationRate, 1);
  const text = `${nContaminated} of ${n} rows (${share}) hold a text of it. They are not in the training file.`;
  return { ...gate, outcome: "fails", text, next };
}

const OF_REGIME: Readonly<Record<HackScanReport["regime"], GateOutcome>> = {
  train: "holds",
  pool_exhausted: "holds",
  reward_hack: "fails",
  degenerate: "open",
  no_signal: "open",
  unknown: "open",
};

function hackGate(scan: HackScanReport, files: string): RunGate {
  const isSingle = scan.nGroupsMulti === 0;
  const outcome = isSingle ? "skipped" : OF_REGIME[scan.regime];
  return {
    verb: "hack-scan",
    question: "What does the reward pay for?",
    outcome,
    text: isSingle ? "One graded rollout an ask: there is nothing to compare inside one." : regimeText(scan),
    next: outcome === "holds" && scan.endorsed.length > 0 ? null : `wai hack-scan ${files} --endorsed NAMES`,
  };
}

function regimeText({ regime, topFeature, endorsed, nFeatures, warnings, support }: HackScanReport): string {
  switch (regime) {
    case "train":
      return endorsed.length > 0
        ? "It pays for what is endorsed."
        : `Passes go with ${topFeature ?? "nothing above chance"}. Nothing was endorsed, so whether that is meant is for a reader.`;
    case "reward_hack":
      return `It pays for ${topFeature ?? "something"}, which nobody endorsed.`;
    case "pool_exhausted":
      return `${formatPercent(support.sat)} of the asks are always solved: little is left to pay for.`;
    case "no_signal":
      return `None of ${nFeatures} features tells passes from failures better than chance.`;
    case "degenerate":
      return "Rollouts of an ask are too much alike to tell features apart.";
    case "unknown":
      return sentence(warnings[0] ?? "There is too little to compare.");
  }
}

function selectionGate({ selection, outcome, passAt, reason }: Asked, files: string): RunGate {
  const { n, nSelected, mode } = selection;
  const gate = { verb: "optimize", question: "Is there anything to learn from them?" };
  if (outcome === "not_graded" || (outcome === "nothing_kept" && passAt.passAt1 === null)) {
    return {
      ...gate,
      outcome: "open",
      text: "No row is graded.",
      next: `wai grade ${files} --judge judge.mjs -o graded.jsonl`,
    };
  }
  if (nSelected === 0)
    return { ...gate, outcome: "fails", text: sentence(reason ?? ""), next: `wai curriculum ${files}` };
  const what =
    mode === "rl"
      ? `${selection.signal.nMixed} of ${selection.nTasks} tasks have passes and failures`
      : `${selection.nEligible} rows pass the rule`;
  return { ...gate, outcome: "holds", text: `${nSelected} of ${n} rows are kept; ${what}.`, next: null };
}

/** The command to run next. */
const MENDS: Readonly<Record<GateRefusal, (files: string) => string>> = {
  privileged_leak: (files) => `wai leaks ${files}`,
  ungraded_rl_rows: (files) => `wai grade ${files} --judge judge.mjs -o graded.jsonl`,
  no_mixed_groups: (files) => `wai curriculum ${files}`,
  reward_hack: (files) => `wai hack-scan ${files} --endorsed NAMES`,
};

function publishing({ ok, refusal, refusalCode, warnings }: NonNullable<RunReport["gate"]>, files: string): RunGate {
  return {
    verb: "gate",
    question: "May they be published?",
    outcome: ok ? "holds" : "fails",
    text: ok
      ? `Yes${warnings.length === 0 ? "" : `, with ${counted(warnings.length, "warning")}`}.`
      : sentence((refusal ?? "they are refused").replace(/^\w+: /, "")),
    next: refusalCode === null ? null : MENDS[refusalCode](files),
  };
}

function exportGate({ export: report, reason }: Asked, files: string): RunGate {
  const gate = { verb: "export", question: "Does the trainer read them?" };
  if (report === null) {
    return { ...gate, outcome: "fails", text: sentence(reason ?? ""), next: `wai leaks ${files}` };
  }
  const { n, format, trainedMessages, toolCallRoundtrip } = report;
  const { checked, invalid } = toolCallRoundtrip;
  return {
    ...gate,
    outcome: "holds",
    text: `${n} ${format} rows train ${trainedMessages} messages; ${checked - invalid} of ${checked} tool calls read back.`,
    next: null,
  };
}

function counted(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}
