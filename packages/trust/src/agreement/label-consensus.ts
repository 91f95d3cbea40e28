import { checkOptions, compareCodePoints, goldKindOf, goldVotes, type Row, rowKey, textOf } from "@while/schema";
import { type DawidSkene, dawidSkene, type RaterLabel } from "@while/stats";
import { TrustError } from "../trust-error.ts";

export interface LabelConsensusOptions {
  /** Rows that must have labels by this many annotators for anything to be concluded. */
  minAnnotators?: number;
  minRows?: number;
}

/** How one annotator labels, against what all of them make of the rows. */
export interface AnnotatorRates {
  annotator: string;
  labels: number;
  /** Chance that they pass what is good, and that they fail what is bad. */
  sensitivity: number;
  specificity: number;
}

export interface ConsensusChange {
  rowKey: string;
  /** Null where the row had none. */
  before: number | null;
  after: 0 | 1;
  confidence: number;
}

export interface LabelConsensus {
  /** Why nothing was concluded; null when it was. */
  note: "few_shared_rows" | "not_converged" | null;
  /** Rows with a label that counts, and those that enough annotators labeled. */
  nLabeled: number;
  nShared: number;
  minAnnotators: number;
  minRows: number;
  /** By name, sorted; empty with a note. */
  annotators: AnnotatorRates[];
  /** Share of the labeled rows that are good; null with a note. */
  prevalence: number | null;
  /** Rows whose gold is another than it was; the first twenty of them. */
  nChanged: number;
  changed: ConsensusChange[];
}

const SHOWN = 20;

/**
 * Gold by the model of Dawid and Skene 1979 instead of by majority: annotators who are often wrong weigh little, ties are
 * decided by who disagrees, and each row says how sure its gold is (`gold_confidence`, the posterior of what it says).
 * Concluded only where three annotators or more share 30 rows; otherwise the rows come back as they were, with the reason.
 *
 * @param rows With `gold_labels` (`attachLabels`). As there, a model's labels count only where no other are
 * @throws TrustError `bad_option`
 */
export function labelConsensus(
  rows: readonly Row[],
  options: LabelConsensusOptions = {},
): { rows: Row[]; report: LabelConsensus } {
  const refused = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, ["minAnnotators", "minRows"], refused);
  const { minAnnotators = 3, minRows = 30 } = options;
  for (const [name, value] of Object.entries({ minAnnotators, minRows })) {
    if (!Number.isSafeInteger(value) || value < 1) throw refused(`${name} is ${value}.`, "Pass a whole number from 1.");
  }
  const votes = rows.map((row) => votesByName(row));
  const nLabeled = votes.filter(({ size }) => size > 0).length;
  const nShared = votes.filter(({ size }) => size >= minAnnotators).length;
  const nothing = {
    nLabeled,
    nShared,
    minAnnotators,
    minRows,
    annotators: [],
    prevalence: null,
    nChanged: 0,
    changed: [],
  };
  if (nShared < minRows) return { rows: [...rows], report: { note: "few_shared_rows", ...nothing } };
  const { names, truth } = truthBehind(votes);
  if (!truth.converged) return { rows: [...rows], report: { note: "not_converged", ...nothing } };

  const changed: ConsensusChange[] = [];
  let nChanged = 0;
  let item = 0;
  const decided = rows.map((row, i): Row => {
    if (votes[i]!.size === 0) return row;
    const posterior = truth.posteriors[item++]!;
    // As with a tie of votes: nobody can say.
    if (posterior === 0.5) return row;
    const after = posterior > 0.5 ? 1 : 0;
    const confidence = Math.max(posterior, 1 - posterior);
    const before = row.gold_reward ?? null;
    if (before !== after) {
      nChanged++;
      if (changed.length < SHOWN) changed.push({ rowKey: rowKey(row), before, after, confidence });
    }
    return {
      ...row,
      gold_reward: after,
      gold_kind: goldKindOf(goldVotes(row.gold_labels ?? []).map(({ kind }) => kind)),
      gold_confidence: confidence,
    };
  });
  const annotators = names.map((annotator, i) => {
    const { n, sensitivity, specificity } = truth.raters[i]!;
    return { annotator, labels: n, sensitivity, specificity };
  });
  const report = { ...nothing, note: null, annotators, prevalence: truth.prevalence, nChanged, changed };
  return { rows: decided, report };
}

/** What each annotator says of a row; a person and a program of one name are two. */
function votesByName(row: Row): Map<string, 0 | 1> {
  return new Map(
    goldVotes(row.gold_labels ?? []).map(({ annotator, kind, label }) => {
      const name = textOf(annotator) || "unknown";
      return [kind === "human" || textOf(kind) === "" ? name : `${name} (${kind})`, label === 1 ? 1 : 0];
    }),
  );
}

function truthBehind(votes: readonly ReadonlyMap<string, 0 | 1>[]): { names: string[]; truth: DawidSkene } {
  const names = [...new Set(votes.flatMap((own) => [...own.keys()]))].sort(compareCodePoints);
  const places = new Map(names.map((name, place) => [name, place]));
  const labels = votes
    .filter(({ size }) => size > 0)
    .flatMap((own, item) =>
      Array.from(own, ([name, label]): RaterLabel => ({ item, rater: places.get(name)!, label })),
    );
  return { names, truth: dawidSkene(labels) };
}
