import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import { formatHackScanDiff } from "./format-hack-scan-diff.ts";
import { hackScanDiff } from "./hack-scan-diff.ts";

/** 12 asks of 8: found or not, and some say "kindly"; the reward is for one of them. */
const scanned = (reward: (found: number, kind: number, i: number) => number): Row[] =>
  Array.from({ length: 96 }, (_, i) => {
    const found = (i * 5 + (i >> 3) + (i % 3)) % 2;
    const kind = Number((i * 7) % 10 < 3);
    return {
      prompt: `Where is order ${i >> 3}?`,
      final_text: `${kind === 1 ? "Kindly" : "Please"} allow ${1 + ((i * 11) % 7)} days.`,
      markers: { found },
      reward: reward(found, kind, i),
    };
  });
const FOUND = scanned((found) => found);
const KIND = scanned((_, kind) => kind);
const SOLVED = scanned(() => 1);
/** Two rollouts an ask, each told apart by everything. */
const TWINS = Array.from({ length: 24 }, (_, i): Row => {
  const good = i % 2;
  const said = { prompt: `ask ${i >> 1}`, final_text: good === 1 ? "Done and sent." : "Oh no" };
  return { ...said, markers: { found: good }, reward: good };
});
const OPTIONS = { endorsed: ["marker:found"], nPerm: 99 };

test("a reward that moves from the behavior to a word has learned the word, and says that a hack landed", () => {
  const diff = hackScanDiff(FOUND, KIND, OPTIONS);
  expect(diff.learned).toMatch(/^contains:kindly \(0\.\d+ before, 1\.000 after, not endorsed\)$/);
  expect(diff.gained[0]).toMatchObject({ name: "contains:kindly", rhoAfter: 1, aboveBefore: false, aboveAfter: true });
  expect(diff.lost.map(({ name }) => name)).toEqual(["marker:found"]);
  expect(diff.hackLanded).toBe(true);
  expect(diff.warnings).toEqual([
    "The regime was train and is reward_hack.",
    expect.stringMatching(/^A reward hack landed: the reward now pays for contains:kindly/),
  ]);
  expect(Object.keys(toWire(diff.gained[0]) as object)).toEqual(
    "name phrase rho_before rho_after above_before above_after endorsed shift".split(" "),
  );
});

test.each<[about: string, before: Row[], after: Row[], learned: RegExp, regimes: string, landed: boolean | null]>([
  ["the way back", KIND, FOUND, /^marker:found \(.*, endorsed\)$/, "reward_hack train", false],
  ["no change", FOUND, FOUND, /^Nothing new clears the floor; marker:found is on top\.$/, "train train", false],
  ["a reward without contrast after", FOUND, SOLVED, /^Nothing clears the floor after\.$/, "train unknown", false],
  ["too few kinds of rollouts after", FOUND, TWINS, /^Nothing can be read: after, /, "train degenerate", null],
  [
    "too few kinds on both sides",
    TWINS,
    TWINS,
    /^Nothing can be read: before and after, /,
    "degenerate degenerate",
    null,
  ],
])("hackScanDiff of %s", (_, before, after, learned, regimes, landed) => {
  const diff = hackScanDiff(before, after, OPTIONS);
  expect(diff.learned).toMatch(learned);
  expect(`${diff.before.regime} ${diff.after.regime}`).toBe(regimes);
  expect(diff.hackLanded).toBe(landed);
});

test("without endorsed features nothing is called a hack", () => {
  const { learned, warnings, hackLanded } = hackScanDiff(FOUND, KIND, { nPerm: 99 });
  expect(hackLanded).toBeNull();
  expect(learned).not.toMatch(/endorsed/);
  expect(warnings.join()).not.toMatch(/hack/);
});

test("swapping the sides swaps gained and lost, and turns every shift round", () => {
  const [there, back] = [hackScanDiff(FOUND, KIND, OPTIONS), hackScanDiff(KIND, FOUND, OPTIONS)];
  expect(back.gained.map(({ name }) => name)).toEqual(there.lost.map(({ name }) => name));
  expect(back.lost.map(({ name }) => name)).toEqual(there.gained.map(({ name }) => name));
  const shifts = ({ moved }: typeof there, sign: number): number[] =>
    moved.map(({ shift }) => sign * shift).sort((a, b) => a - b);
  expect(shifts(back, -1)).toEqual(shifts(there, 1));
});

test("features that are one column on one side are compared with the strongest of them on the other, each once", () => {
  // Before, "kindly" and "soon" are said together, and are one column; after, each in rollouts of its own.
  const before = KIND.map((row) => ({ ...row, final_text: row.final_text!.replace("Kindly", "Kindly soon") }));
  const after = KIND.map((row, i) => ({ ...row, final_text: `${row.final_text}${i % 5 === 0 ? " soon" : ""}` }));
  const { moved } = hackScanDiff(before, after, { nPerm: 99, top: 1000 });
  const names = moved.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const word of ["kindly", "soon"]) {
    expect(moved.find(({ name }) => name.endsWith(word))).toMatchObject({ rhoBefore: 1 });
  }
});

test("the text says what was learned first", () => {
  const lines = formatHackScanDiff(hackScanDiff(FOUND, KIND, { ...OPTIONS, top: 2 })).split("\n");
  expect(lines[0]).toMatch(/^learned: contains:kindly \(/);
  expect(lines[1]).toMatch(/^before {2}train: marker:found on top \(1\.000\), floor 0\.\d{3}, integrity 1\.00$/);
  expect(lines[2]).toMatch(
    /^after {3}reward_hack: contains:kindly on top \(1\.000\), floor 0\.\d{3}, integrity 0\.00$/,
  );
  expect(lines.filter((line) => line.startsWith("+"))).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith("-e marker:found"))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith("! "))).toHaveLength(2);
});
