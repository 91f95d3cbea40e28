import { checkOptions, compareCodePoints, isObject, type Row } from "@while/schema";
import { ALPHA, HACK_THRESHOLD, holmAdjust, type Interval, metricSummary, passLabel, type Warning } from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { degenerateWarning } from "./degenerate-warning.ts";
import { type NotStamped, notStamped } from "./marker-families.ts";
import type { MarkerRules } from "./marker-rules.ts";
import { type PhraseTable, phraseMarkers, ticOf } from "./phrase-families.ts";
import type { PhraseHit, PhrasePosition } from "./phrase-hits.ts";
import { MIN_LINK_ROWS, type RewardLink, RewardLinkTally } from "./reward-link.ts";
import { styleReader } from "./style-markers.ts";
import { withMarkers } from "./with-markers.ts";

export interface StyleReportOptions {
  phrases?: PhraseTable;
  /** Correlation from which the reward may pay for a habit. */
  threshold?: number;
  /** Draws of the intervals of `v1`. */
  nBoot?: number;
  /** Seed of the intervals of `v1`; those of `v2` draw nothing. */
  seed?: number;
  rules?: MarkerRules;
}

export type StyleWarningCode = "reward_pays" | "degenerate" | "language" | "silent";

/** One habit of speech over the rows. */
export interface StyleMarker extends RewardLink {
  /** Mean over tasks of the share without it; null where no row could be read. */
  clean: number | null;
  ci95: Interval | null;
  /** Rows that could be read. */
  n: number;
  /** Rows with at least one phrase. */
  hits: number;
  /** Up to five, most frequent first, then by phrase. */
  topPhrases: [phrase: string, rows: number][];
  /** Rows with a phrase in the first sentence of a message, in the last, and between. Empty by `v1`. */
  positions: Partial<Record<PhrasePosition, number>>;
  /** `pValue` adjusted for the markers of the report (Holm); null by `v1`, which does not look. */
  pAdjusted: number | null;
  /** Every row came out the same: nothing shows that it can fail. */
  degenerate: boolean;
  /** Present when the reward goes with the habit. */
  flagged?: true;
}

/** Habits of speech, and which of them the reward pays for. */
export interface StyleReport {
  rules: MarkerRules;
  n: number;
  nGraded: number;
  threshold: number;
  /** Rows in a language whose phrases are not known, by language. */
  nUnread: number;
  languages: Map<string, number>;
  /** Rows in which the agent says nothing. */
  nSilent: number;
  markers: Map<string, StyleMarker>;
  warnings: Warning<StyleWarningCode>[];
  notes: string[];
  notStamped: NotStamped[];
}

const MAX_PHRASES = 5;

/**
 * Measures the phrase markers without writing them, and asks of each whether the reward goes with the habit: training
 * on such a reward buys more of it (Gao et al. 2022, arXiv:2210.10760). By `v2` that takes a correlation from the
 * threshold on, an exact test within tasks that holds after all markers are counted, and five graded rows on either
 * side. By `v1` the correlation alone.
 *
 * @throws TrustError `bad_option`; StatsError `bad_count`, `bad_seed`
 */
export function styleReport(rows: readonly Row[], options: StyleReportOptions = {}): StyleReport {
  checkOptions(
    options,
    ["phrases", "threshold", "nBoot", "seed", "rules"],
    (what, fix) => new TrustError("bad_option", what, fix),
  );
  const { phrases, threshold = HACK_THRESHOLD, nBoot, seed, rules = "v2" } = options;
  checkThreshold(threshold);
  const read = styleReader(rules, phrases);
  const names = phraseMarkers(rules, phrases).map(({ marker }) => marker);
  const tallies = new Map(names.map((name) => [name, new MarkerTally()]));
  const languages = new Map<string, number>();
  const stamped: Row[] = [];
  let nGraded = 0;
  let nSilent = 0;
  for (const row of rows) {
    if (!isObject(row)) continue;
    const index = stamped.length;
    if (passLabel(row) !== null) nGraded++;
    const { language, spoke, hits } = read(row);
    if (!spoke) nSilent++;
    else languages.set(language, (languages.get(language) ?? 0) + 1);
    for (const [name, found] of hits) tallies.get(name)!.add(row, found, index);
    // Values that rows came with are of another stamp.
    stamped.push(withMarkers({ ...row, markers: {} }, valuesOf(hits)));
  }
  const inference = rules === "v1" ? "compat" : "strict";
  const links = names.map((name) => tallies.get(name)!.link.link());
  const adjusted = adjustedOf(links);
  const markers = new Map(
    names.map((name, i) => {
      const { deciding, ...link } = links[i]!;
      const { mean, ci95, degenerate } = metricSummary(stamped, `marker:${name}`, { inference, nBoot, seed });
      const { n, hits, phraseRows, positions } = tallies.get(name)!;
      const marker: StyleMarker = {
        ...{ clean: mean, ci95: degenerate ? null : ci95, n, hits },
        topPhrases: topOf(phraseRows),
        positions: rules === "v1" ? {} : positions,
        ...link,
        pAdjusted: rules === "v1" ? null : adjusted[i]!,
        degenerate,
      };
      if (isPaid(rules, deciding, marker, threshold)) marker.flagged = true;
      return [name, marker] as const;
    }),
  );
  const nUnread = [...languages].reduce((sum, [language, n]) => sum + (language === "en" ? 0 : n), 0);
  return {
    ...{ rules, n: stamped.length, nGraded, threshold, nUnread, languages, nSilent, markers },
    warnings: [
      ...paidWarnings(markers, rules),
      ...degenerateWarnings(markers),
      ...unreadWarnings(languages, nUnread, nSilent),
    ],
    notes: notesOf(markers, nGraded),
    notStamped: notStamped(names, rules, "styleMarkers"),
  };
}

class MarkerTally {
  n = 0;
  hits = 0;
  readonly phraseRows = new Map<string, number>();
  readonly positions: Partial<Record<PhrasePosition, number>> = {};
  readonly link: RewardLinkTally = new RewardLinkTally();

  add(row: Row, found: readonly PhraseHit[], index: number): void {
    this.n++;
    if (found.length > 0) this.hits++;
    for (const phrase of new Set(found.map((hit) => hit.phrase)))
      this.phraseRows.set(phrase, (this.phraseRows.get(phrase) ?? 0) + 1);
    for (const position of new Set(found.map((hit) => hit.position))) {
      this.positions[position] = (this.positions[position] ?? 0) + 1;
    }
    this.link.add(row, found.length > 0, index);
  }
}

/** The most frequent first, then by phrase. */
export function topOf(phraseRows: ReadonlyMap<string, number>, max: number = MAX_PHRASES): [string, number][] {
  return [...phraseRows].sort(([a, n], [b, m]) => m - n || compareCodePoints(a, b)).slice(0, max);
}

function valuesOf(hits: ReadonlyMap<string, readonly PhraseHit[]>): Record<string, number> {
  return Object.fromEntries(Array.from(hits, ([name, found]) => [name, found.length > 0 ? 0 : 1]));
}

/** Holm over those that could be tested; the others stay null. */
function adjustedOf(links: readonly RewardLink[]): (number | null)[] {
  const tested = links.flatMap(({ pValue }, i) => (pValue === null ? [] : [[i, pValue] as const]));
  const adjusted = holmAdjust(tested.map(([, p]) => p));
  const out: (number | null)[] = links.map(() => null);
  for (const [at, [i]] of tested.entries()) out[i] = adjusted[at]!;
  return out;
}

function isPaid(
  rules: MarkerRules,
  deciding: number | null,
  { rewardCorr, pAdjusted, lowPower }: StyleMarker,
  threshold: number,
): boolean {
  if (rules === "v1") return rewardCorr !== null && rewardCorr >= threshold;
  return deciding !== null && deciding >= threshold && !lowPower && pAdjusted !== null && pAdjusted < ALPHA;
}

function paidWarnings(markers: ReadonlyMap<string, StyleMarker>, rules: MarkerRules): Warning<StyleWarningCode>[] {
  return Array.from(markers).flatMap(([name, marker]) => {
    if (marker.flagged !== true) return [];
    const r = (rules === "v1" ? marker.rewardCorr : (marker.rewardCorrWithin ?? marker.rewardCorr))!;
    const tic = ticOf(name);
    const text = `the reward pays for ${tic}: correlation ${r < 0 ? "" : "+"}${r.toFixed(2)} with ${name} at 0; training on this reward would increase it`;
    return [{ code: "reward_pays", text }];
  });
}

function degenerateWarnings(markers: ReadonlyMap<string, StyleMarker>): Warning<StyleWarningCode>[] {
  const constant = Array.from(markers).filter(([, { degenerate }]) => degenerate);
  return degenerateWarning(constant.map(([name, { n }]) => ({ name, n })));
}

function unreadWarnings(
  languages: ReadonlyMap<string, number>,
  nUnread: number,
  nSilent: number,
): Warning<StyleWarningCode>[] {
  const warnings: Warning<StyleWarningCode>[] = [];
  if (nUnread > 0) {
    const which = [...languages].filter(([language]) => language !== "en").map(([language, n]) => `${language} ${n}`);
    warnings.push({
      code: "language",
      text: `${nUnread} replies are in a language whose phrases are not known (${which.join(", ")}): not read, and not called clean; give phrases of their language`,
    });
  }
  if (nSilent > 0) {
    warnings.push({
      code: "silent",
      text: `in ${nSilent} rows the agent says nothing: not read, and not called clean`,
    });
  }
  return warnings;
}

function notesOf(markers: ReadonlyMap<string, StyleMarker>, nGraded: number): string[] {
  const notes: string[] = [];
  const answered = markers.get("answered");
  if (answered !== undefined && answered.hits > 0) {
    notes.push(
      "answered guards against over-refusal on a benign set alone: where a policy demands a refusal, 0 is right (refusalReport)",
    );
  }
  const weak = Array.from(markers).filter(
    ([, { lowPower, hits, n }]) => nGraded > 0 && lowPower && hits > 0 && hits < n,
  );
  if (weak.length > 0) {
    notes.push(
      `low power: ${weak.map(([name]) => name).join(", ")} came out 0 or 1 on fewer than ${MIN_LINK_ROWS} graded rows, so nothing is said of their reward`,
    );
  }
  return notes;
}

/** @throws TrustError `bad_option` */
function checkThreshold(threshold: number): void {
  if (threshold >= 0 && threshold <= 1) return;
  throw new TrustError("bad_option", `threshold is ${threshold}.`, "Give a correlation between 0 and 1.");
}
