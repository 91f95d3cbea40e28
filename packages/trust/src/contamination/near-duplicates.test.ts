import { type Row, toWire } from "@while/schema";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrustError } from "../trust-error.ts";
import { formatNearDuplicates } from "./format-near-duplicates.ts";
import { bandKeys, bandRecall } from "./min-hash.ts";
import { nearDuplicates } from "./near-duplicates.ts";
import { jaccard, shinglesOf } from "./shingles.ts";
import { spread } from "./vocabulary.ts";

const COWS = "A farmer has twelve cows and sells three of them at the market on Friday. How many remain?";
const REWORDED = "A farmer has twelve cows and sells three of them at the market on Monday. How many remain?";
const OTHER = "The night train to Lisbon leaves at nine and takes eleven hours. When does it arrive?";

test.each([
  // text, kind, runs
  ["", "chars", 0],
  ["?!", "chars", 0],
  ["ab", "chars", 1],
  ["abcde", "chars", 1],
  ["AbcDef", "chars", 2],
  ["aaaaaaaa", "chars", 1],
  ["one two", "words", 1],
  ["one two three four five six", "words", 2],
  ["中文问题在这里", "chars", 3],
] as const)("shinglesOf(%j, %j) has %d runs", (text, kind, size) => {
  expect(shinglesOf(text, kind)).toHaveLength(size);
});

test("case, blanks and look-alike letters make no difference to the runs", () => {
  expect(shinglesOf("  Cаncel\n ORDER  9911 ")).toEqual(shinglesOf("cancel order 9911"));
});

test.each([
  [0.5, 0.873],
  [0.6, 0.988],
  [0.7, 1],
  [0.42, 0.636],
])("a pair at %d is met in a band with probability %d", (similarity, found) => {
  expect(bandRecall(similarity)).toBeCloseTo(found, 3);
});

test("pairs meet in a band as often as their likeness says", () => {
  let [met, expected] = [0, 0];
  for (let pair = 0; pair < 400; pair++) {
    const numbers = (from: number, n: number) => Array.from({ length: n }, (_, i) => spread(pair * 1000 + from + i));
    const shared = numbers(0, 60);
    const a = Uint32Array.from([...shared, ...numbers(100, 30)]).sort();
    const b = Uint32Array.from([...shared, ...numbers(200, 30)]).sort();
    const [keysA, keysB] = [bandKeys(a), bandKeys(b)];
    if (keysA.some((key, band) => key === keysB[band])) met++;
    expected += bandRecall(jaccard(a, b));
  }
  // 400 draws of about 0.87: 0.05 is three standard errors.
  expect(Math.abs(met - expected) / 400).toBeLessThan(0.05);
});

/** Every pair, by sets of strings. */
function pairsByHand(a: readonly string[], b: readonly string[], threshold: number): [number, number][] {
  const runs = a
    .concat(b)
    .map((text) => new Set(Array.from({ length: text.length - 4 }, (_, i) => text.slice(i, i + 5))));
  return a.flatMap((_, i) =>
    b.flatMap((__, j): [number, number][] => {
      const [x, y] = [runs[i]!, runs[a.length + j]!];
      const shared = [...x].filter((run) => y.has(run)).length;
      return shared / (x.size + y.size - shared) >= threshold ? [[i, j]] : [];
    }),
  );
}

const words = fc
  .array(fc.constantFrom("apple", "stone", "river", "cloud", "seven"), { minLength: 2, maxLength: 7 })
  .map((list) => list.join(" "));
const sets = fc.uniqueArray(words, { minLength: 1, maxLength: 8 });

test("at 0.8 the two ways of looking find what comparing every pair finds", () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const between = nearDuplicates(asRows(a), { against: asRows(b) });
      const pairs = pairsByHand(a, b, 0.8);
      expect(between.nPromptsInvolved).toBe(new Set(pairs.map(([i]) => i)).size);
      const within = nearDuplicates(asRows(a));
      const own = pairsByHand(a, a, 0.8).filter(([i, j]) => i !== j);
      expect(within.nPromptsInvolved).toBe(new Set(own.flat()).size);
      const reversed = nearDuplicates(asRows([...a].reverse()));
      expect([reversed.nGroups, reversed.largestGroup]).toEqual([within.nGroups, within.largestGroup]);
    }),
  );
});

function asRows(prompts: readonly string[]): Row[] {
  return prompts.map((prompt) => ({ prompt }));
}

describe("between the two sides of a split", () => {
  const train: Row[] = [
    { task_id: "t1", prompt: OTHER },
    { task_id: "t2", prompt: REWORDED },
    { task_id: "t2", prompt: REWORDED },
    null as never,
    { task_id: "t3", messages: [{ role: "user", content: `${COWS} Please.` }] },
  ];
  const held: Row[] = [{ task_id: "e1", prompt: COWS }];

  test("a wording of a held-out task under another id is found, and its rows are counted", () => {
    const report = nearDuplicates(train, { against: held });
    expect(report).toMatchObject({
      ...{ scope: "between", nRows: 4, nPrompts: 3, nAgainst: 1, nPromptsInvolved: 2, nRowsInvolved: 3 },
      ...{ nGroups: 1, largestGroup: 3, nGroupsOfOneTask: 0 },
      examples: [{ rowA: 1, rowB: 0, taskA: "t2", taskB: "e1", jaccard: 0.849 }],
    });
    expect(formatNearDuplicates(report)).toBe(
      [
        "near duplicates: 2 of 3 prompts (3 of 4 rows), against 1 prompt of the other set",
        "  alike as sets of five characters at 0.8 or more; of pairs at the threshold itself 100.0% are found",
        "  1 group, the largest of 3 prompts",
        "  0.85  row 1 t2 ~ row 0 of the other set e1",
        "    A farmer has twelve cows and sells three of them at the market on Monday. How ma",
        "    A farmer has twelve cows and sells three of them at the market on Friday. How ma",
      ].join("\n"),
    );
    expect(() => toWire(report)).not.toThrow();
  });

  test("wordings of one task are told apart from those of two", () => {
    const rows = [
      { task_id: "a", prompt: COWS },
      { task_id: "a", prompt: REWORDED },
      { task_id: "b", prompt: OTHER },
      { task_id: "c", prompt: `${OTHER} Say it.` },
    ];
    expect(nearDuplicates(rows)).toMatchObject({ scope: "within", nAgainst: null, nGroups: 2, nGroupsOfOneTask: 1 });
  });
});

test("two thousand rows of one template hang together", () => {
  const template = "You are given an order and have to find the address it goes to. Answer in one word. Order number";
  const rows = asRows(Array.from({ length: 2000 }, (_, i) => `${template} ${i}`));
  expect(nearDuplicates(rows)).toMatchObject({ nGroups: 1, largestGroup: 2000, nPromptsInvolved: 2000 });
});

test("nothing to compare is no near duplicate", () => {
  expect(nearDuplicates([])).toMatchObject({ nPrompts: 0, nGroups: 0, largestGroup: 0, examples: [] });
  expect(nearDuplicates(asRows(["?!", "?!!", ""]))).toMatchObject({ nPrompts: 2, nGroups: 0 });
  expect(nearDuplicates(asRows([COWS]), { against: [] })).toMatchObject({ nAgainst: 0, nGroups: 0 });
});

test.each([
  [{ threshold: 0 }, "threshold is 0."],
  [{ threshold: 1.1 }, "threshold is 1.1."],
  [{ shingles: "lines" }, 'shingles is "lines".'],
  [{ treshold: 0.5 }, "There is no option treshold. Did you mean threshold?"],
])("refuses %j", (options, said) => {
  expect(() => nearDuplicates([], options as never)).toThrow(TrustError);
  expect(() => nearDuplicates([], options as never)).toThrow(said);
});
