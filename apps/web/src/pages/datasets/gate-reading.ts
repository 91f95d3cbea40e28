import { number, percent, whole } from "../../numbers.ts";
import type { CheckState } from "../../parts/CheckMark.tsx";
import { listIn, numberIn, objectIn, textIn, type WireObject } from "../../wire-values.ts";

/** What is asked of a set's gate report: who it is of, for the calls. */
export interface GatedSet {
  datasetId: string;
  mode: string | null;
}

interface GateNote {
  state: CheckState;
  text: string;
  /** What to run against it, as a shell line; null where nothing is to be done. */
  call: string | null;
}

export interface GateReading {
  state: "accepted" | "refused" | "not run";
  /** Why it is refused, or why it was not run; null where it passed. */
  because: string | null;
  notes: GateNote[];
  /** Number of warnings. */
  warnings: number;
  /** "rollouts in groups, mode rl, band 20 to 80%" */
  shape: string | null;
  /** Share of rows that pass, with its interval, by task. */
  passAt1: { rate: number; low: number | null; high: number | null; tasks: number } | null;
}

/** The publish gate's report as what a person reads: the verdict, each warning with its call, and what was found in order. */
export function readGate(report: WireObject | null, set: GatedSet): GateReading {
  const notRun = report === null ? "The gate has not read this set yet." : textIn(report, "not_run");
  if (report === null || notRun !== null) {
    return { state: "not run", because: notRun, notes: [], warnings: 0, shape: null, passAt1: null };
  }
  const warnings = listIn(report, "warnings").filter((warning) => typeof warning === "string");
  const refusal = textIn(report, "refusal");
  return {
    state: refusal === null && report.ok !== false ? "accepted" : "refused",
    because: refusal,
    notes: [
      ...warnings.map((text): GateNote => ({ state: "warning", text, call: callAgainst(text, set) })),
      ...inOrder(report, set),
    ],
    warnings: warnings.length,
    shape: shapeOf(report),
    passAt1: passAt1Of(report),
  };
}

/** The command that does something about a warning; by the words of the gate, which has no codes for its warnings. */
function callAgainst(warning: string, { datasetId, mode }: GatedSet): string | null {
  const pull = `wai pull ${shellWord(datasetId)}`;
  const optimize = `${pull} | wai optimize - --mode ${mode === "sft" ? "sft" : "rl"}`;
  if (/\boptimize\b/.test(warning)) return `${optimize} -o kept.jsonl`;
  if (/^Cut replies/.test(warning) && mode !== "sft") return `${optimize} --truncated drop -o kept.jsonl`;
  if (/\b(pays|punishes)\b/.test(warning)) return `${pull} | wai hack-scan - --endorsed NAMES`;
  return null;
}

/** An id of the platform needs no quotes; anything else gets them. */
function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What was looked at and found in order, or could not be looked at. */
function inOrder(report: WireObject, { datasetId }: GatedSet): GateNote[] {
  const notes: GateNote[] = [];
  const leaks = objectIn(report, "privileged_leaks");
  if (leaks !== null && numberIn(leaks, "n_leaked") === 0) {
    const checked = numberIn(leaks, "n_checked") ?? 0;
    notes.push(
      checked > 0
        ? { state: "ok", text: `No reply quotes what only the grader may know, in ${whole(checked)} rows.`, call: null }
        : {
            state: "open",
            text: "No row says what only the grader may know, so no quotation of it can be found.",
            call: null,
          },
    );
  }
  const length = objectIn(report, "length");
  if (length !== null && numberIn(length, "n_truncated") === 0) {
    notes.push({ state: "ok", text: "No reply is cut.", call: null });
  }
  const duplicates = objectIn(report, "duplicates");
  if (duplicates !== null && numberIn(duplicates, "n_dropped") === 0) {
    notes.push({ state: "ok", text: "No rollout is there twice.", call: null });
  }
  notes.push(judgeNote(objectIn(report, "judge_trust"), datasetId));
  return notes;
}

function judgeNote(trust: WireObject | null, datasetId: string): GateNote {
  const agreement = trust === null ? null : numberIn(trust, "agreement");
  if (trust === null || agreement === null) {
    const text = "No row says how far its judge is to be trusted.";
    return { state: "open", text, call: `wai pull ${shellWord(datasetId)} | wai judge-trust - --labels labels.jsonl` };
  }
  const labels = numberIn(trust, "n_gold") ?? numberIn(trust, "n");
  const low = numberIn(trust, "agreement_low");
  const kappa = numberIn(trust, "kappa");
  const facts = [
    `agrees with people on ${percent(agreement)}${labels === null ? "" : ` of ${whole(labels)} labels`}`,
    ...(low === null ? [] : [`at least ${percent(low)}`]),
    ...(kappa === null ? [] : [`kappa ${number(kappa)}`]),
  ];
  const trusted = trust.ok !== false;
  return {
    state: trusted ? "ok" : "warning",
    text: `The judge ${facts.join(", ")}${trusted ? "" : ": not to be trusted"}.`,
    call: null,
  };
}

function shapeOf(report: WireObject): string {
  const band = listIn(report, "band");
  const mode = textIn(report, "mode");
  const [low, high] = band.map(Number);
  return [
    report.rl_shaped === true ? "several rollouts a task" : "one rollout a task",
    ...(mode === null ? [] : [`mode ${mode}`]),
    ...(report.rl_shaped === true && Number.isFinite(low) && Number.isFinite(high)
      ? [`band ${number(100 * low!)} to ${number(100 * high!)}%`]
      : []),
  ].join(", ");
}

function passAt1Of(report: WireObject): GateReading["passAt1"] {
  const passAt = objectIn(objectIn(report, "calibration") ?? {}, "pass_at");
  const rate = passAt === null ? null : numberIn(passAt, "pass_at_1");
  if (passAt === null || rate === null) return null;
  const [low = null, high = null] = listIn(passAt, "ci95").map((end) => (typeof end === "number" ? end : null));
  return { rate, low, high, tasks: numberIn(passAt, "n_groups") ?? 0 };
}
