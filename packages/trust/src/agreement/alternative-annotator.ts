import { compareCodePoints, type Row } from "@while/schema";
import { ALPHA, benjaminiYekutieli, binaryReward, tCdf } from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { labelsOf } from "./labels-of.ts";

/** The judge and one of the people, each against the others on the rows that this one labeled. */
export interface StandIn {
  annotator: string;
  /** Rows with a verdict, a label by this one and one by somebody else. */
  n: number;
  /** Share of rows on which the judge agrees with the others at least as well as this one; and the other way round. */
  judgeAsGood: number;
  annotatorAsGood: number;
  /** That the judge is as good in fewer rows by `epsilon` or more, adjusted over the people (Benjamini and Yekutieli). */
  pAdjusted: number;
  wins: boolean;
}

export interface AlternativeAnnotator {
  /** People with enough rows, by name. */
  standIns: StandIn[];
  /** Share of these in whose place the judge could label; null with the reason in `note`. */
  winningRate: number | null;
  /** The judge is as good as half of the people or more. */
  passes: boolean | null;
  epsilon: number;
  /** Over rows that two people or more labeled: share of them that the judge agrees with, on average. */
  judgeAgreesWith: number | null;
  /** The same for each of the people with the others. */
  peopleAgreeWith: number | null;
  /** Rows of these two shares. */
  n: number;
  note: "few_people" | "few_rows" | null;
}

export interface AlternativeAnnotatorOptions {
  /** What a person costs more than a judge, in shares of rows: 0.2 for experts, 0.15 for the skilled, 0.1 for a crowd. */
  epsilon?: number;
  /** Rows of a person without whom the test is not made. */
  minRows?: number;
}

const EPSILON = 0.2;
const MIN_PEOPLE = 3;
const MIN_ROWS = 30;

/**
 * The alternative annotator test (Calderon, Reichart and Dror 2025): each of three or more people is left out in turn, and
 * the judge in their place has to agree with the others about as well as they do, up to `epsilon`. The judge passes where it
 * does for half of them or more. A floor on agreement asks for a number that people themselves may not reach; this asks for
 * theirs.
 *
 * @param rows With verdicts and `gold_labels` of people
 * @throws TrustError `bad_option`
 */
export function alternativeAnnotator(
  rows: readonly Row[],
  { epsilon = EPSILON, minRows = MIN_ROWS }: AlternativeAnnotatorOptions = {},
): AlternativeAnnotator {
  if (!(epsilon >= 0 && epsilon < 1)) {
    throw new TrustError("bad_option", `epsilon is ${epsilon}.`, "Pass a share from 0 to under 1.");
  }
  if (!Number.isSafeInteger(minRows) || minRows < 2) {
    throw new TrustError("bad_option", `minRows is ${minRows}.`, "Pass a whole number of 2 or more.");
  }
  const labeled = rows.flatMap((row) => {
    const judge = binaryReward(row);
    const labels = labelsOf(row, { byPeople: true });
    return judge === null || labels.size < 2 ? [] : [{ judge, labels }];
  });
  const people = [...new Set(labeled.flatMap(({ labels }) => [...labels.keys()]))].sort(compareCodePoints);
  const tried = people.flatMap((annotator) => {
    const own = labeled.filter(({ labels }) => labels.has(annotator));
    return own.length < minRows ? [] : [{ annotator, ...comparison(own, annotator, epsilon) }];
  });
  const adjusted = benjaminiYekutieli(tried.map(({ p }) => p));
  const standIns = tried.map(({ p: _, ...one }, i): StandIn => {
    return { ...one, pAdjusted: adjusted[i]!, wins: adjusted[i]! < ALPHA };
  });
  const note = people.length < MIN_PEOPLE ? "few_people" : standIns.length < MIN_PEOPLE ? "few_rows" : null;
  const winningRate = note === null ? standIns.filter(({ wins }) => wins).length / standIns.length : null;
  return {
    ...{ standIns, winningRate, passes: winningRate === null ? null : winningRate >= 0.5, epsilon },
    judgeAgreesWith: meanOf(labeled.map(({ judge, labels }) => agreeing(judge, [...labels.values()]))),
    peopleAgreeWith: meanOf(
      labeled.map(({ labels }) => meanOf([...labels].map(([name, label]) => agreeing(label, others(labels, name))))!),
    ),
    n: labeled.length,
    note,
  };
}

interface LabeledByPeople {
  judge: 0 | 1;
  labels: ReadonlyMap<string, 0 | 1>;
}

function comparison(
  rows: readonly LabeledByPeople[],
  annotator: string,
  epsilon: number,
): { n: number; judgeAsGood: number; annotatorAsGood: number; p: number } {
  const n = rows.length;
  const scores = rows.map(({ judge, labels }) => {
    const rest = others(labels, annotator);
    const [own, instead] = [agreeing(labels.get(annotator)!, rest), agreeing(judge, rest)];
    return { judge: Number(instead >= own), annotator: Number(own >= instead) };
  });
  const judgeAsGood = meanOf(scores.map((score) => score.judge))!;
  const annotatorAsGood = meanOf(scores.map((score) => score.annotator))!;
  const gaps = scores.map((score) => score.annotator - score.judge);
  const gap = meanOf(gaps)!;
  const variance = gaps.reduce((sum, own) => sum + (own - gap) ** 2, 0) / (n - 1);
  const distance = gap - epsilon;
  // Rows that are all alike leave nothing to chance.
  const p = variance === 0 ? Number(distance >= 0) : tCdf(distance / Math.sqrt(variance / n), n - 1);
  return { n, judgeAsGood, annotatorAsGood, p };
}

function others(labels: ReadonlyMap<string, 0 | 1>, name: string): (0 | 1)[] {
  return [...labels].flatMap(([other, label]) => (other === name ? [] : [label]));
}

function agreeing(label: 0 | 1, rest: readonly (0 | 1)[]): number {
  return rest.filter((other) => other === label).length / rest.length;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
