import { checkOptions, formatPercent, isObject, type LeakHit, leakReport, type Row } from "@while/schema";
import { groupSignal, TRAIN_MIN_MIXED_TASKS } from "@while/stats";
import { calibrate } from "../calibration/calibrate.ts";
import type { StudentOptions } from "../calibration/carry-calibration.ts";
import { counted } from "../counted.ts";
import { type Band, checkBand, DEFAULT_BAND } from "../groups/trim-out-of-band.ts";
import { hackScan } from "../hacks/hack-scan.ts";
import type { HackScanReport } from "../hacks/scan-report.ts";
import { dedupeGroups } from "../hygiene/dedupe-groups.ts";
import { hygieneWarnings } from "../hygiene/hygiene-warnings.ts";
import { lengthReport } from "../hygiene/length-report.ts";
import { nearDuplicatePrompts } from "../hygiene/near-duplicate-prompts.ts";
import { rewardCorrelations } from "../hygiene/reward-correlations.ts";
import { SELECT_MODES, type SelectMode } from "../optimize.ts";
import { oneOf } from "../options.ts";
import { SelectError } from "../select-error.ts";
import { GATE_PURPOSES, type GatePurpose, type GateRefusal, type GateReport } from "./gate-report.ts";
import { isRlShaped } from "./is-rl-shaped.ts";
import { PublishGateError } from "./publish-gate-error.ts";

/**
 * What of a hack scan is refused: nothing, the regime `reward_hack`, that with a lead that is more than luck over asks,
 * or that and every feature that pays beside what is endorsed.
 */
export type StrictHacks = boolean | "confirmed" | "conditional";

export interface GateOptions extends StudentOptions {
  /**
   * What the rows are for: `rl` a grouped method, even if no task repeats, and `sft` to be imitated, so that rollouts of
   * one task may all be good. By default a grouped method where a task repeats.
   */
  mode?: SelectMode;
  purpose?: GatePurpose;
  /** Pass rates worth training on. */
  band?: Band;
  /** false: a refusal is in the report, and nothing is thrown. */
  strict?: boolean;
  /** What the reward is meant to pay for, as for `hackScan`. */
  endorsed?: readonly string[];
  strictHacks?: StrictHacks;
}

const NAMES = ["mode", "purpose", "band", "policy", "model", "strict", "endorsed", "strictHacks"] as const;

/**
 * May these rows be published? Stamps labelled rows with the difficulty of their task, refuses replies that quote their
 * own `privileged` block, and rows for a grouped method that cannot teach: without labels, without an ask whose rollouts
 * differ, and by `strictHacks` with a reward that pays for what is not endorsed. All else is reported and nothing is
 * dropped. One rollout an ask passes, unless it leaks.
 *
 * @returns New rows; the ones passed in are not changed
 * @throws PublishGateError its code is the refusal, unless `strict` is false
 * @throws SelectError `bad_option`, `bad_band`
 */
export function publishGate(rows: readonly Row[], options: GateOptions = {}): { rows: Row[]; report: GateReport } {
  const { mode, purpose, band, strict, endorsed, strictHacks, student } = readGateOptions(options);
  const objects = rows.filter(isObject);
  const rlShaped = isRlShaped(rows, mode === undefined ? {} : { mode });
  const { rows: stamped, report: calibration } = calibrate(rows, student);
  // Also of rows to be imitated, where their tasks repeat: what is chosen by a reward learns what it pays for.
  const scan = rlShaped || isRlShaped(rows) ? hackScan(objects, { endorsed }) : null;
  const leaks = leakReport(objects);
  const [lo, hi] = band;
  const report: GateReport = {
    ok: true,
    judgeTrust: judgeTrustOf(objects),
    rlShaped,
    mode: mode ?? null,
    purpose,
    band,
    signal: groupSignal(objects, { lo, hi }),
    calibration,
    privilegedLeaks: { checked: leaks.checked, nChecked: leaks.nChecked, nLeaked: leaks.nLeaked },
    duplicates: dedupeGroups(objects).report,
    nearDuplicatePrompts: nearDuplicatePrompts(objects),
    length: lengthReport(objects),
    correlations: rewardCorrelations(objects),
    hackScan: scan,
    warnings: [],
    refusalCode: null,
    refusal: null,
  };
  const refused = refusalOf(report, leaks.leaked, strictHacks);
  report.warnings = gateWarnings(report, refused !== null);
  if (refused === null) return { rows: stamped, report };
  const [code, what, fix] = refused;
  Object.assign(report, { ok: false, refusalCode: code, refusal: `${code}: ${what} ${fix}` });
  if (strict) throw new PublishGateError(code, `${code}: ${what}`, fix, report);
  return { rows: stamped, report };
}

function readGateOptions(options: GateOptions) {
  const refuse = (what: string, fix: string) => new SelectError("bad_option", what, fix);
  checkOptions(options, NAMES, refuse);
  const { mode, purpose = "train", strict = true, endorsed = [], strictHacks = false, policy, model } = options;
  const words: readonly unknown[] = [true, false, "confirmed", "conditional"];
  if (typeof strict !== "boolean") throw refuse(`strict is ${String(strict)}.`, "Pass true or false.");
  if (!words.includes(strictHacks)) {
    throw refuse(`strictHacks is ${String(strictHacks)}.`, `It must be one of ${words.join(", ")}.`);
  }
  if (strictHacks !== false && endorsed.length === 0) {
    throw refuse(
      "strictHacks refuses a reward that pays for what is not endorsed, and nothing is endorsed.",
      'Name what it is meant to pay for: endorsed: ["marker:grounded"].',
    );
  }
  return {
    mode: mode === undefined ? undefined : oneOf("mode", mode, SELECT_MODES),
    purpose: oneOf("purpose", purpose, GATE_PURPOSES),
    band: checkBand(options.band ?? DEFAULT_BAND),
    strict,
    endorsed,
    strictHacks,
    student: { ...(policy === undefined ? {} : { policy }), ...(model === undefined ? {} : { model }) },
  };
}

function judgeTrustOf(rows: readonly Row[]): unknown {
  for (const { judge_meta: meta } of rows) {
    if (isObject(meta) && meta.trust !== undefined && meta.trust !== null) return meta.trust;
  }
  return null;
}

type Refused = [code: GateRefusal, what: string, fix: string];

/** The first reason that holds. */
function refusalOf(
  { rlShaped, purpose, calibration, signal, privilegedLeaks: { nLeaked, nChecked }, hackScan: scan }: GateReport,
  leaked: readonly LeakHit[],
  hacks: StrictHacks,
): Refused | null {
  if (nLeaked > 0) {
    const [first] = leaked;
    const where = first === undefined ? "" : `, ${first.field} in row ${first.row} to begin with`;
    return [
      "privileged_leak",
      `${nLeaked} of ${counted(nChecked, "row")} with a privileged block quote it in their reply${where}: who trains on ` +
        "them learns what only the grader may know.",
      "Drop them, as optimize and dropPrivilegedLeaks do.",
    ];
  }
  if (!rlShaped) return scan === null ? null : hackRefusal(scan, hacks);
  if (calibration.nStamped === 0) {
    return [
      "ungraded_rl_rows",
      `None of ${counted(calibration.nRows, "rollout")} has a reward of 0 or 1, and a grouped method needs one on every rollout.`,
      "Grade them first.",
    ];
  }
  if (purpose === "eval") return null;
  if (signal.nMixed === 0) {
    return [
      "no_mixed_groups",
      `Rollouts agree in each of ${counted(signal.nGroups, "ask")}, so every advantage is zero and nothing is learned.`,
      "Use a stricter rubric, or asks of another difficulty.",
    ];
  }
  return scan === null ? null : hackRefusal(scan, hacks);
}

function hackRefusal({ regime, lead, paysAlso, warnings }: HackScanReport, hacks: StrictHacks): Refused | null {
  if (hacks === false) return null;
  const fix = "Fix the judge, or publish without strictHacks.";
  if (regime === "reward_hack" && (hacks !== "confirmed" || lead === null || lead.confirmed)) {
    const said = warnings[0] ?? "";
    return ["reward_hack", hacks === "confirmed" && lead !== null ? `${said} The lead holds over asks.` : said, fix];
  }
  const [also] = paysAlso ?? [];
  if (hacks !== "conditional" || also === undefined) return null;
  const what =
    `Among rollouts alike in what is endorsed the reward also pays for ${also.rho < 0 ? "less of " : ""}${also.name} ` +
    `(${formatPercent(also.share)} of the reward).`;
  return ["reward_hack", what, fix];
}

function gateWarnings(report: GateReport, refused: boolean): string[] {
  const { signal, calibration, band, duplicates, purpose } = report;
  const warnings: string[] = [];
  const say = (holds: boolean, sentence: string): void => {
    if (holds) warnings.push(sentence);
  };
  if (report.rlShaped && !refused) {
    const outside = signal.nMixed - signal.nInBand;
    const unanimous = signal.nGroups - signal.nMixed;
    const isTrain = purpose === "train";
    say(
      isTrain && outside > 0,
      `${outside} of ${counted(signal.nMixed, "mixed ask")} outside the band of ${formatPercent(band[0])} to ` +
        `${formatPercent(band[1])}: optimize with mode rl prunes them.`,
    );
    say(
      isTrain && unanimous > 0,
      `${unanimous} of ${counted(signal.nGroups, "ask")} with rollouts that all agree, which teach nothing: optimize ` +
        "with mode rl drops them.",
    );
    say(
      calibration.nUnstamped > 0,
      `${calibration.nUnstamped} of ${counted(calibration.nRows, "row")} without a reward of 0 or 1, or without a task: ` +
        "they are not stamped.",
    );
    say(
      isTrain && signal.nMixed < TRAIN_MIN_MIXED_TASKS,
      `${counted(signal.nMixed, "mixed ask")}, and training asks for ${TRAIN_MIN_MIXED_TASKS}: bring more tasks.`,
    );
  }
  say(
    calibration.nCarried > 0,
    `${counted(calibration.nCarried, "row")} with a stamp from before: its rate is over all rollouts that were graded ` +
      "then, and pass@1 of this report over those that remain.",
  );
  const { nDropped, groupsAffected, conflictingRewards } = duplicates;
  say(
    nDropped > 0,
    `${counted(nDropped, "duplicate row")} present over ${counted(groupsAffected, "ask")}: optimize drops them.` +
      (conflictingRewards === 0 ? "" : ` ${conflictingRewards} with another reward than their twin: judge noise.`),
  );
  const { nearDuplicatePrompts: nearDuplicates, length: lengths, correlations } = report;
  return [
    ...warnings,
    ...hygieneWarnings({
      nearDuplicates,
      lengths,
      correlations,
      ...(refused || report.hackScan === null ? {} : { scan: report.hackScan }),
    }),
  ];
}
