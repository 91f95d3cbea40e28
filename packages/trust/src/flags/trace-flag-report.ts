import { cutCodePoints, formatInterval, isObject, type Labels, type Row, rowKey, textOf } from "@while/schema";
import {
  ALPHA,
  HACK_THRESHOLD,
  holmAdjust,
  type Interval,
  metricSummary,
  passLabel,
  type Warning,
  wilsonInterval,
} from "@while/stats";
import { counted } from "../counted.ts";
import { degenerateWarning } from "../markers/degenerate-warning.ts";
import { type NotStamped, notStamped } from "../markers/marker-families.ts";
import type { MarkerRules } from "../markers/marker-rules.ts";
import { type RewardLink, RewardLinkTally } from "../markers/reward-link.ts";
import { TrustError } from "../trust-error.ts";
import type { FlagHit, Severity } from "./flag.ts";
import { type FlagCheck, flagCheck } from "./flag-check.ts";
import { type FlagLabels, flagLabels } from "./flag-labels.ts";
import { FLAG_DESCRIPTIONS, FLAGS, TRACE_FLAGS } from "./flag-table.ts";
import { checkTraceOptions, isAtLeast, type TraceFlagOptions, traceHits } from "./trace-flags.ts";
import { traceMarkersOf } from "./trace-marker-table.ts";
import { stampedTrace } from "./trace-markers.ts";

export interface TraceFlagReportOptions extends TraceFlagOptions {
  /** Correlation from which the reward may pay for what a flag finds. */
  threshold?: number;
  /** What people said of flags on rows: records with the key of a row, a `flag`, and `label` 1 or 0 (`flagSample`). */
  labels?: Labels | undefined;
  /** Rows shown for each flag. */
  examples?: number;
  /** Draws and seed of the intervals of `v1`; those of `v2` draw nothing. */
  nBoot?: number | undefined;
  seed?: number | undefined;
}

export type TraceWarningCode =
  | "reward_pays"
  | "imprecise"
  | "labels_left_out"
  | "degenerate"
  | "unreadable"
  | "language"
  | "other_rules"
  | "cut";

/** One flag over the rows. */
export interface TraceFlag extends RewardLink {
  /** Rows on which it fired with at least the severity asked for. */
  n: number;
  /** Rows on which it fired with less alone: worth a look, counted nowhere. */
  nBelow: number;
  /** Share of the rows, and its Wilson interval; null without rows. */
  rate: number | null;
  ci95: Interval | null;
  examples: { prompt: string; evidence: string }[];
  /** `pValue` adjusted for all flags of the report (Holm); null by `v1`, which does not look. */
  pAdjusted: number | null;
  /** The reward goes with it, beyond chance. */
  flagged: boolean;
  /** How right it is; null where no label is of it. */
  checked: FlagCheck | null;
}

/** A hit with the row it is in. */
export interface TraceHit extends FlagHit {
  flag: string;
  /** Place of the row among those given, and its key. */
  row: number;
  key: string;
}

export interface TraceMarker {
  /** Mean over tasks of the share without a flag; null where no row could be read. */
  clean: number | null;
  ci95: Interval | null;
  /** Every row came out the same: nothing shows that it can fail. */
  degenerate: boolean;
}

/** What agents did to look better than they were, and whether the reward pays for it. */
export interface TraceFlagReport {
  rules: MarkerRules;
  minSeverity: Severity;
  n: number;
  nGraded: number;
  threshold: number;
  /** Rows whose calls could not be read. */
  nUnreadable: number;
  /** Rows whose reply is in a language without phrases. */
  nOtherLanguage: number;
  /** Texts that were longer than is searched. */
  nCut: number;
  /** Every flag of the rule set, fired or not. */
  flags: Map<string, TraceFlag>;
  /** Every place where one fired, of any severity. */
  hits: TraceHit[];
  markers: Map<string, TraceMarker>;
  warnings: Warning<TraceWarningCode>[];
  notStamped: NotStamped[];
}

const EXAMPLES = 3;
const PROMPT_CHARS = 120;
const OWN_OPTIONS = ["threshold", "labels", "examples", "nBoot", "seed"];

/**
 * Flags every rollout and asks of each flag whether the reward goes with it: training on such a reward buys more of what
 * the flag finds (Gao et al. 2022, arXiv:2210.10760). By `v2` that takes a correlation from the threshold on, an exact
 * test within tasks that holds after all flags are counted, and five graded rows on either side; by `v1` the correlation
 * alone. A negative correlation is never flagged: a reward that punishes the fake does its work. With `labels` the report
 * says how right each flag is.
 *
 * @throws TrustError `bad_option`, `bad_labels`; StatsError `bad_count`, `bad_seed`; what `attachLabels` throws for labels
 *   that name no row or several
 */
export function traceFlagReport(rows: readonly Row[], options: TraceFlagReportOptions = {}): TraceFlagReport {
  const { rules, minSeverity } = checkTraceOptions(options, OWN_OPTIONS);
  const { threshold = HACK_THRESHOLD, examples = EXAMPLES, nBoot, seed, kinds, labels } = options;
  checkNumbers(threshold, examples);
  const names = rules === "v1" ? TRACE_FLAGS : FLAGS.map(({ name }) => name);
  const tallies = new Map(names.map((name) => [name, new FlagTally(examples)]));
  const said = labels === undefined ? null : flagLabels(rows.filter(isObject) as Row[], labels, names);
  const counts = { nGraded: 0, nUnreadable: 0, nOtherLanguage: 0, nCut: 0 };
  const hits: TraceHit[] = [];
  const stamped: Row[] = [];
  let firstUnreadable = "";
  let nOtherRules = 0;
  for (const row of rows) {
    if (!isObject(row)) continue;
    const index = stamped.length;
    const found = traceHits(row, { kinds, rules });
    if (passLabel(row) !== null) counts.nGraded++;
    if (found.otherLanguage) counts.nOtherLanguage++;
    counts.nCut += found.nCut;
    if (typeof row.trace_rules === "string" && row.trace_rules !== rules) nOtherRules++;
    if (found.unreadable) {
      counts.nUnreadable++;
      firstUnreadable ||= rowKey(row);
    }
    for (const [flag, own] of found.hits) {
      for (const hit of own) hits.push({ flag, ...hit, row: index, key: rowKey(row) });
    }
    // A row that cannot be read says nothing of a flag.
    const asked = found.unreadable ? undefined : said?.labels.get(index);
    for (const [name, tally] of tallies) {
      tally.add(row, found.hits.get(name) ?? [], { index, minSeverity, label: asked?.get(name) ?? null });
    }
    // Values that rows came with are of another stamp.
    stamped.push(stampedTrace({ ...row, markers: {} }, found, { rules, minSeverity, evidence: false }));
  }
  const readable = stamped.length - counts.nUnreadable;
  const flags = flagsOf(tallies, { n: stamped.length, readable, rules, threshold });
  const markers = new Map(
    Array.from(traceMarkersOf(rules).keys(), (name) => {
      const { mean, ci95, degenerate } = metricSummary(stamped, `marker:${name}`, {
        inference: rules === "v1" ? "compat" : "strict",
        nBoot,
        seed,
      });
      return [name, { clean: mean, ci95: degenerate ? null : ci95, degenerate }] as const;
    }),
  );
  return {
    ...{ rules, minSeverity, n: stamped.length, threshold, ...counts, flags, hits, markers },
    warnings: [
      ...paidWarnings(flags),
      ...impreciseWarnings(flags),
      ...labelWarnings(said),
      ...degenerateWarning(
        Array.from(markers).flatMap(([name, { degenerate }]) => (degenerate ? [{ name, n: stamped.length }] : [])),
      ),
      ...blindWarnings(counts, firstUnreadable, nOtherRules, rules),
    ],
    notStamped: notStamped(traceMarkersOf(rules).keys(), rules, "traceMarkers"),
  };
}

function checkNumbers(threshold: number, examples: number): void {
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new TrustError("bad_option", `threshold is ${threshold}.`, "Give a correlation between 0 and 1.");
  }
  if (!Number.isSafeInteger(examples) || examples < 0) {
    throw new TrustError("bad_option", `examples is ${examples}.`, "Give a whole number of 0 or more.");
  }
}

class FlagTally {
  n = 0;
  nBelow = 0;
  readonly shown: { prompt: string; evidence: string }[] = [];
  readonly link: RewardLinkTally = new RewardLinkTally();
  readonly labeled: { fired: boolean; label: 0 | 1 }[] = [];

  private readonly examples: number;

  constructor(examples: number) {
    this.examples = examples;
  }

  add(
    row: Row,
    hits: readonly FlagHit[],
    { index, minSeverity, label }: { index: number; minSeverity: Severity; label: 0 | 1 | null },
  ): void {
    const hit = hits.find(({ severity }) => isAtLeast(severity, minSeverity));
    if (hit !== undefined) this.n++;
    else if (hits.length > 0) this.nBelow++;
    if (hit !== undefined && this.shown.length < this.examples) {
      this.shown.push({ prompt: cutCodePoints(textOf(row.prompt), PROMPT_CHARS), evidence: hit.evidence });
    }
    this.link.add(row, hit !== undefined, index);
    if (label !== null) this.labeled.push({ fired: hit !== undefined, label });
  }
}

function flagsOf(
  tallies: ReadonlyMap<string, FlagTally>,
  { n, readable, rules, threshold }: { n: number; readable: number; rules: MarkerRules; threshold: number },
): Map<string, TraceFlag> {
  const links = Array.from(tallies.values(), ({ link }) => link.link());
  // A flag that fired on too few rows is not asked, so that it costs the others nothing.
  const tested = links.flatMap(({ pValue, lowPower }, i) =>
    pValue === null || lowPower ? [] : [[i, pValue] as const],
  );
  const adjusted = holmAdjust(tested.map(([, p]) => p));
  const pOf = new Map(tested.map(([i], at) => [i, adjusted[at]!]));
  return new Map(
    Array.from(tallies, ([name, tally], i) => {
      const { deciding, ...link } = links[i]!;
      const pAdjusted = rules === "v1" ? null : (pOf.get(i) ?? null);
      const flagged =
        rules === "v1"
          ? link.rewardCorr !== null && link.rewardCorr >= threshold
          : deciding !== null && deciding >= threshold && pAdjusted !== null && pAdjusted < ALPHA;
      const { n: fired, nBelow, shown: examples, labeled } = tally;
      const quiet = Math.max(0, readable - fired);
      const ci95 = wilsonInterval(fired, n);
      return [
        name,
        {
          ...{ n: fired, nBelow, rate: n === 0 ? null : fired / n, ci95, examples, ...link, pAdjusted, flagged },
          checked: labeled.length === 0 ? null : flagCheck(labeled, { fired, quiet }),
        },
      ] as const;
    }),
  );
}

function paidWarnings(flags: ReadonlyMap<string, TraceFlag>): Warning<TraceWarningCode>[] {
  return Array.from(flags).flatMap(([name, { flagged, rewardCorr, rewardCorrWithin }]) => {
    if (!flagged) return [];
    const r = (rewardCorrWithin ?? rewardCorr)!;
    const about = FLAG_DESCRIPTIONS.get(name)!;
    return [
      {
        code: "reward_pays" as const,
        text: `the reward pays for ${name} (correlation ${r < 0 ? "" : "+"}${r.toFixed(2)}): an agent that ${about}. Training on this reward would increase it`,
      },
    ];
  });
}

/** A flag that is wrong more often than right. */
const IMPRECISE = 0.5;

function impreciseWarnings(flags: ReadonlyMap<string, TraceFlag>): Warning<TraceWarningCode>[] {
  return Array.from(flags).flatMap(([name, { checked }]) => {
    const ci95 = checked?.precisionCi95 ?? null;
    if (ci95 === null || ci95[1] >= IMPRECISE) return [];
    const { nRight, nFired } = checked!;
    const text = `${name} is wrong more often than right on these rows: ${nRight} of ${nFired} labeled finds are real ${formatInterval(ci95)}; keep its marker out of guards, and name your tools' kinds`;
    return [{ code: "imprecise" as const, text }];
  });
}

function labelWarnings(said: FlagLabels | null): Warning<TraceWarningCode>[] {
  if (said === null) return [];
  const { nUnmatched, nInvalid, nTies, unmatched } = said;
  const parts = [
    nUnmatched === 0 ? "" : `${nUnmatched} that name no row (${unmatched.join(", ")})`,
    nInvalid === 0 ? "" : `${nInvalid} neither 0 nor 1`,
    nTies === 0 ? "" : `${nTies} evenly split`,
  ].filter((part) => part !== "");
  if (parts.length === 0) return [];
  return [{ code: "labels_left_out", text: `labels of flags that are not used: ${parts.join(", ")}` }];
}

function blindWarnings(
  { nUnreadable, nOtherLanguage, nCut }: Pick<TraceFlagReport, "nUnreadable" | "nOtherLanguage" | "nCut">,
  firstUnreadable: string,
  nOtherRules: number,
  rules: MarkerRules,
): Warning<TraceWarningCode>[] {
  const warnings: Warning<TraceWarningCode>[] = [];
  if (nUnreadable > 0) {
    warnings.push({
      code: "unreadable",
      text: `${counted(nUnreadable, "row")} with calls in a shape that is not read (the first is ${firstUnreadable}): no lie is claimed of them, and their markers of lies are absent`,
    });
  }
  if (nOtherLanguage > 0) {
    warnings.push({
      code: "language",
      text: `${counted(nOtherLanguage, "row")} with a reply in another language than English: claims are looked for in English, so their markers of lies are absent`,
    });
  }
  if (nOtherRules > 0) {
    warnings.push({
      code: "other_rules",
      text: `${counted(nOtherRules, "row")} stamped by other rules than ${rules}, read anew here: a change of rules looks like a change of behaviour, so stamp both sides of a comparison by the same`,
    });
  }
  if (nCut > 0)
    warnings.push({
      code: "cut",
      text: `${counted(nCut, "text")} longer than 200,000 characters, searched up to there`,
    });
  return warnings;
}
