import { checkOptions, cutCodePoints, isObject, type Row, roundHalfEven, taskKey } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { buildJaccardIndex, JaccardFinder } from "./jaccard-index.ts";
import { BANDS, bandKeys, bandRecall } from "./min-hash.ts";
import { rowTexts } from "./row-texts.ts";
import { jaccard, shinglesOf } from "./shingles.ts";
import { SHINGLES, type Shingles } from "./token-scanner.ts";

/** Jaccard similarity of their runs of five characters from which two prompts are near duplicates. */
export const NEAR_DUPLICATE_JACCARD = 0.8;

export interface NearDuplicatesOptions {
  /** Rows of another set: pairs are looked for between the two sets alone, such as the two sides of a split. */
  against?: readonly Row[];
  /** Jaccard similarity from which two prompts pair, above 0 and at most 1. */
  threshold?: number;
  /** What is compared as a set: runs of five characters, or of five words. */
  shingles?: Shingles;
}

/** Two prompts that are nearly one. */
export interface NearDuplicatePair {
  /** The first row with each prompt: `a` of the rows, `b` of the rows too, or of `against`. */
  rowA: number;
  rowB: number;
  taskA: string;
  taskB: string;
  /** Their first 80 code points. */
  a: string;
  b: string;
  /** To 3 decimals. */
  jaccard: number;
}

/** Which prompts are nearly one, within a set of rows or between two. */
export interface NearDuplicatesReport {
  /** `within` one set, or `between` two. */
  scope: "within" | "between";
  threshold: number;
  shingles: Shingles;
  /** Of the pairs that are exactly as alike as the threshold, the share that is found; of those that are more alike, more. */
  recall: number;
  nRows: number;
  /** Distinct prompts of the rows. */
  nPrompts: number;
  /** Distinct prompts of `against`; null within one set. */
  nAgainst: number | null;
  /** Prompts of the rows that have a near duplicate, and rows that ask one of these. */
  nPromptsInvolved: number;
  nRowsInvolved: number;
  /** Sets of prompts that hang together by pairs. */
  nGroups: number;
  /** Of these, the ones whose prompts all go by one task: wordings of it that were made on purpose. */
  nGroupsOfOneTask: number;
  /** Prompts of the largest. */
  largestGroup: number;
  /** A pair of each group, the first 20 groups in the order of the rows. */
  examples: NearDuplicatePair[];
}

const EXAMPLES = 20;
const EXAMPLE_CHARS = 80;

/** One wording, with the rows that ask it. */
interface Prompt {
  text: string;
  row: number;
  tasks: Set<string>;
  nRows: number;
}

/**
 * Prompts that are nearly one, by the Jaccard similarity of their runs of five characters: within one set of rows, or
 * between two. Two wordings of one situation on the two sides of a split, under two ids, are the commonest leak of synthetic
 * data, and are to be looked for before anything is trained.
 *
 * MinHash brings together what is to be compared (128 hash functions, 32 bands of 4), the comparison is exact: no pair
 * is wrong, and a pair of 0.8 is missed once in ten million times (`recall`). Time grows with the prompts, not with their
 * square. "Similar as sets" is not "contained in": for a question inside a longer text there is `decontaminate`.
 *
 * @throws TrustError `bad_option`
 */
export function nearDuplicates(rows: readonly Row[], options: NearDuplicatesOptions = {}): NearDuplicatesReport {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, ["against", "threshold", "shingles"], refuse);
  const { against, threshold = NEAR_DUPLICATE_JACCARD, shingles = "chars" } = options;
  if (!(threshold > 0 && threshold <= 1))
    throw refuse(`threshold is ${threshold}.`, "Pass a share above 0 and at most 1.");
  if (!SHINGLES.includes(shingles)) throw refuse(`shingles is ${JSON.stringify(shingles)}.`, "Pass chars or words.");
  const own = promptsOf(rows);
  const others = against === undefined ? null : promptsOf(against);
  const all = others === null ? own : [...own, ...others];
  const groups = new Groups(all.length);
  // Of each prompt, the first other one that it was found to be like.
  const partner = new Map<number, { other: number; jaccard: number }>();
  const pair = (a: number, b: number, similarity: number): void => {
    groups.join(a, b);
    if (!partner.has(a)) partner.set(a, { other: b, jaccard: similarity });
    if (!partner.has(b)) partner.set(b, { other: a, jaccard: similarity });
  };
  if (others === null) pairsWithin(own, threshold, shingles, groups, pair);
  else pairsBetween(own, others, threshold, shingles, pair);
  const involved = [...own.keys()].filter((prompt) => partner.has(prompt));
  const members = new Map<number, number[]>();
  for (const prompt of [...partner.keys()].sort((a, b) => a - b)) {
    const group = members.get(groups.root(prompt));
    if (group === undefined) members.set(groups.root(prompt), [prompt]);
    else group.push(prompt);
  }
  const found = [...members.values()];
  return {
    ...{ scope: others === null ? "within" : "between", threshold, shingles, recall: bandRecall(threshold) },
    ...{ nRows: rows.filter((row) => isObject(row)).length, nPrompts: own.length, nAgainst: others?.length ?? null },
    nPromptsInvolved: involved.length,
    nRowsInvolved: involved.reduce((sum, prompt) => sum + own[prompt]!.nRows, 0),
    nGroups: found.length,
    nGroupsOfOneTask: found.filter((group) => haveOneTask(group.map((prompt) => all[prompt]!))).length,
    largestGroup: found.reduce((largest, group) => Math.max(largest, group.length), 0),
    // The smallest number of a group is of the rows, not of `against`.
    examples: found.slice(0, EXAMPLES).map(([a]) => {
      const { other, jaccard: similarity } = partner.get(a!)!;
      return exampleOf(all[a!]!, all[other]!, similarity);
    }),
  };
}

function exampleOf(a: Prompt, b: Prompt, similarity: number): NearDuplicatePair {
  return {
    ...{ rowA: a.row, rowB: b.row, taskA: taskOf(a), taskB: taskOf(b) },
    ...{ a: cutCodePoints(a.text, EXAMPLE_CHARS), b: cutCodePoints(b.text, EXAMPLE_CHARS) },
    jaccard: roundHalfEven(similarity, 3),
  };
}

/** Each wording once: the prompt, or all turns of the user where there is none. */
function promptsOf(rows: readonly Row[]): Prompt[] {
  const prompts = new Map<string, Prompt>();
  for (const [index, row] of rows.entries()) {
    if (!isObject(row)) continue;
    const text = (rowTexts(row, ["prompt"])[0] ?? rowTexts(row, ["messages.user"]).at(-1))?.text ?? "";
    if (text === "") continue;
    const known = prompts.get(text);
    if (known === undefined) prompts.set(text, { text, row: index, tasks: new Set([taskKey(row)]), nRows: 1 });
    else {
      known.tasks.add(taskKey(row));
      known.nRows++;
    }
  }
  return [...prompts.values()];
}

function taskOf({ tasks }: Prompt): string {
  return cutCodePoints([...tasks][0]!, EXAMPLE_CHARS);
}

function haveOneTask([first, ...rest]: readonly Prompt[]): boolean {
  return [...(first?.tasks ?? [])].some((task) => rest.every(({ tasks }) => tasks.has(task)));
}

type Pair = (a: number, b: number, similarity: number) => void;

function pairsBetween(
  own: readonly Prompt[],
  others: readonly Prompt[],
  threshold: number,
  shingles: Shingles,
  pair: Pair,
): void {
  const index = buildJaccardIndex(
    others.map(({ text }) => text),
    shingles,
  );
  const finder = new JaccardFinder(index, threshold);
  for (const [a, { text }] of own.entries()) {
    const found = finder.find(text).sort((x, y) => y.jaccard - x.jaccard || x.text - y.text);
    for (const one of found) pair(a, own.length + one.text, one.jaccard);
  }
}

/**
 * Band by band, the prompts that have one key. A prompt is compared with members of another group until one is found that it
 * is like: ten thousand copies of one template are ten thousand comparisons, and not their square.
 */
function pairsWithin(own: readonly Prompt[], threshold: number, shingles: Shingles, groups: Groups, pair: Pair): void {
  const sets = own.map(({ text }) => shinglesOf(text, shingles));
  const keys = sets.map((set) => (set.length === 0 ? null : bandKeys(set)));
  const readable = Uint32Array.from([...own.keys()].filter((prompt) => keys[prompt] !== null));
  for (let band = 0; band < BANDS; band++) {
    readable.sort((a, b) => keys[a]![band]! - keys[b]![band]! || a - b);
    let members: number[][] = [];
    for (const [at, prompt] of readable.entries()) {
      if (at > 0 && keys[readable[at - 1]!]![band] !== keys[prompt]![band]) members = [];
      let mine: number[] | null = null;
      const apart: number[][] = [];
      for (const group of members) {
        const isJoined = groups.root(group[0]!) === groups.root(prompt) || joins(prompt, group);
        if (!isJoined) apart.push(group);
        else if (mine === null) mine = group;
        else for (const other of group) mine.push(other);
      }
      if (mine === null) apart.push([prompt]);
      else mine.push(prompt);
      members = mine === null ? apart : [...apart, mine];
    }
  }
  function joins(prompt: number, group: readonly number[]): boolean {
    for (const other of group) {
      const similarity = jaccard(sets[other]!, sets[prompt]!);
      if (similarity < threshold) continue;
      pair(Math.min(other, prompt), Math.max(other, prompt), similarity);
      return true;
    }
    return false;
  }
}

/** Which prompts hang together (union by the smaller number, paths halved). */
class Groups {
  readonly #parent: Int32Array;

  constructor(n: number) {
    this.#parent = Int32Array.from({ length: n }, (_, i) => i);
  }

  root(of: number): number {
    let at = of;
    while (this.#parent[at] !== at) {
      this.#parent[at] = this.#parent[this.#parent[at]!]!;
      at = this.#parent[at]!;
    }
    return at;
  }

  join(a: number, b: number): void {
    const [x, y] = [this.root(a), this.root(b)];
    this.#parent[Math.max(x, y)] = Math.min(x, y);
  }
}
