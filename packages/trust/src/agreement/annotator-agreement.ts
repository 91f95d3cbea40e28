import { compareCodePoints, cutCodePoints, type Row, roundHalfEven, rowKey, textOf } from "@while/schema";
import {
  binaryReward,
  type Confusion,
  cohenKappa,
  type FleissKappa,
  fleissKappa,
  type KrippendorffAlpha,
  krippendorffAlpha,
} from "@while/stats";
import { type AlternativeAnnotator, alternativeAnnotator } from "./alternative-annotator.ts";
import { labelsOf } from "./labels-of.ts";

/** Two annotators on the rows that both labeled. */
export interface AnnotatorPair {
  pair: [string, string];
  n: number;
  agreement: number;
  /** Null where both gave one class throughout. */
  kappa: number | null;
}

export interface AnnotatorDisagreement {
  rowKey: string;
  prompt: string;
  /** What each said. */
  labels: Map<string, 0 | 1>;
}

/** How a judge stands among the people: against the two who share most rows, as they stand against each other. */
export interface HumanCeiling {
  pair: [string, string];
  humanAgreement: number;
  humanKappa: number | null;
  /** Rows that both labeled. */
  nHuman: number;
  /** Agreement of the judge with either, on the same rows; null where none has a verdict. */
  judgeAgreement: number | null;
  judgeKappa: number | null;
  /** Pairs of a verdict and a label. */
  nJudge: number;
}

export interface AnnotatorAgreement {
  /** By name, sorted. */
  perAnnotator: Map<string, { labels: number; passShare: number }>;
  /** Rows with labels by two annotators or more. */
  multiLabeled: number;
  /** Of those, the share where all say the same; null without. */
  unanimous: number | null;
  /** The two with most rows in common, and their kappa. */
  pair: [string, string] | null;
  kappa: number | null;
  /** All pairs with a row in common, most rows first. */
  pairs: AnnotatorPair[];
  /** Krippendorff's, any number of annotators, with gaps. */
  alpha: KrippendorffAlpha;
  /** Fleiss's, on the rows that as many annotators labeled as most rows have. */
  fleiss: FleissKappa;
  /** Null without a row that two people labeled. */
  ceiling: HumanCeiling | null;
  /** Could the judge stand in for one of the people? */
  alternative: AlternativeAnnotator;
  /** The first twenty. */
  disagreements: AnnotatorDisagreement[];
  nDisagreements: number;
}

const SHOWN = 20;
const SHOWN_CHARS = 160;

/**
 * Whether the people who wrote the gold agree with each other. A judge cannot be asked to agree with them more than they
 * do: where two people reach 0.87, a judge at 0.85 is at their level. Krippendorff 2004; Calderon et al. 2025 for the
 * judge as one more annotator.
 *
 * @param rows With `gold_labels` (`attachLabels`). Of an annotator's labels on a row the last one counts
 */
export function annotatorAgreement(rows: readonly Row[]): AnnotatorAgreement {
  const labeled = rows.flatMap((row) => {
    const labels = labelsOf(row);
    return labels.size === 0 ? [] : [{ row, labels }];
  });
  const names = [...new Set(labeled.flatMap(({ labels }) => [...labels.keys()]))].sort(compareCodePoints);
  const multi = labeled.filter(({ labels }) => labels.size >= 2);
  const split = multi.filter(({ labels }) => new Set(labels.values()).size > 1);
  const pairs = pairsOf(names, multi);
  const [most = null] = pairs;
  return {
    perAnnotator: new Map(names.map((name) => [name, labelsBy(name, labeled)])),
    multiLabeled: multi.length,
    unanimous: multi.length === 0 ? null : roundHalfEven(1 - split.length / multi.length, 4),
    pair: most === null ? null : most.pair,
    kappa: most === null ? null : most.kappa,
    pairs,
    alpha: krippendorffAlpha(labeled.map(({ labels }) => [...labels.values()])),
    fleiss: fleissKappa(labeled.map(({ labels }) => [...labels.values()])),
    ceiling: ceilingOf(rows),
    alternative: alternativeAnnotator(rows),
    disagreements: split.slice(0, SHOWN).map(({ row, labels }) => ({
      rowKey: rowKey(row),
      prompt: cutCodePoints(textOf(row.prompt), SHOWN_CHARS),
      labels,
    })),
    nDisagreements: split.length,
  };
}

interface LabeledBy {
  row: Row;
  labels: Map<string, 0 | 1>;
}

function labelsBy(name: string, rows: readonly LabeledBy[]): { labels: number; passShare: number } {
  const own = rows.flatMap(({ labels }) => labels.get(name) ?? []);
  return { labels: own.length, passShare: roundHalfEven(own.filter((label) => label === 1).length / own.length, 4) };
}

function pairsOf(names: readonly string[], rows: readonly LabeledBy[]): AnnotatorPair[] {
  const pairs: AnnotatorPair[] = [];
  for (const [i, first] of names.entries()) {
    for (const second of names.slice(i + 1)) {
      const table = tableOf(rows.map(({ labels }) => [labels.get(first) ?? null, labels.get(second) ?? null]));
      const n = sizeOf(table);
      if (n === 0) continue;
      pairs.push({ pair: [first, second], n, agreement: (table.tp + table.tn) / n, kappa: cohenKappa(table) });
    }
  }
  // The sort is stable: on a tie the first pair by name.
  return pairs.sort((a, b) => b.n - a.n);
}

/**
 * By the two who share most rows. All pairs together would mislead: who is called in only where two differ agrees with
 * one of them at most.
 */
function ceilingOf(rows: readonly Row[]): HumanCeiling | null {
  const labeled = rows.map((row) => ({ row, labels: labelsOf(row, { byPeople: true }) }));
  const names = [...new Set(labeled.flatMap(({ labels }) => [...labels.keys()]))].sort(compareCodePoints);
  const [most] = pairsOf(names, labeled);
  if (most === undefined) return null;
  const { pair, n, agreement, kappa } = most;
  const judge = tableOf(
    labeled
      .filter(({ labels }) => pair.every((name) => labels.has(name)))
      .flatMap(({ row, labels }) => pair.map((name) => [binaryReward(row), labels.get(name)!] as const)),
  );
  const nJudge = sizeOf(judge);
  return {
    pair,
    humanAgreement: agreement,
    humanKappa: kappa,
    nHuman: n,
    judgeAgreement: nJudge === 0 ? null : (judge.tp + judge.tn) / nJudge,
    judgeKappa: cohenKappa(judge),
    nJudge,
  };
}

function tableOf(pairs: readonly (readonly [0 | 1 | null, 0 | 1 | null])[]): Confusion {
  const table = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const [one, other] of pairs) {
    if (one === null || other === null) continue;
    if (one === 1) table[other === 1 ? "tp" : "fp"]++;
    else table[other === 1 ? "fn" : "tn"]++;
  }
  return table;
}

function sizeOf({ tp, fp, fn, tn }: Confusion): number {
  return tp + fp + fn + tn;
}
