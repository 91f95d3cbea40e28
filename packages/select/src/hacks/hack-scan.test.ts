import type { Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { hackScan } from "./hack-scan.ts";
import type { ScanOptions } from "./scan-options.ts";

const WORDS = ["alpha", "bravo", "carol", "delta", "early", "fresh"] as const;

/** Asks of a few rollouts each, with words, rewards, and a marker that some rows lack. */
const anyRows = fc
  .array(
    fc.array(
      fc.record({
        said: fc.subarray([...WORDS]),
        reward: fc.constantFrom(0, 1),
        good: fc.constantFrom(0, 1, undefined),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((asks) =>
    asks.flatMap((rollouts, a): Row[] =>
      rollouts.map(({ said, reward, good }) => ({
        prompt: `ask ${a}`,
        task_id: `task ${a}`,
        final_text: said.join(" "),
        reward,
        markers: good === undefined ? {} : { good },
      })),
    ),
  );
const OPTIONS: ScanOptions = { nPerm: 19, minObs: 2, endorsed: ["marker:good"], topFeatures: null };

/** 12 asks of 8 rollouts: the reply is good in half of them, and says a word by `says`. */
function planted(
  says: (i: number, good: number, ask: number) => string,
  reward: (row: Row, i: number) => number,
): Row[] {
  return Array.from({ length: 96 }, (_, i) => {
    const ask = Math.floor(i / 8);
    const good = (i * 5 + ask * 3 + (i % 3)) % 2;
    const row: Row = { prompt: `ask ${ask}`, task_id: `t${ask}`, final_text: says(i, good, ask), markers: { good } };
    return { ...row, reward: reward(row, i) };
  });
}

describe("laws", () => {
  test("the order of rows changes nothing", () => {
    const shuffled = anyRows.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom("strict", "compat"), ([rows, other], rules) => {
        expect(hackScan(other, { ...OPTIONS, rules })).toEqual(hackScan(rows, { ...OPTIONS, rules }));
      }),
      { numRuns: 40 },
    );
  });

  test("the names of asks change nothing", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const renamed = rows.map((row) => ({
          ...row,
          prompt: [...row.prompt!].reverse().join(""),
          task_id: `other ${row.task_id}`,
        }));
        expect(hackScan(renamed, OPTIONS)).toEqual(hackScan(rows, OPTIONS));
      }),
      { numRuns: 40 },
    );
  });

  test("rewards of 0 and 2 have the correlations of 0 and 1: counting bits is adding numbers", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const twice = hackScan(
          rows.map((row) => ({ ...row, reward: Number(row.reward) * 2 })),
          OPTIONS,
        );
        const once = hackScan(rows, OPTIONS);
        expect(twice.continuousReward).toBe(rows.some(({ reward }) => reward === 1));
        expect(twice.tau).toBe(once.tau);
        const rhos = ({ features }: typeof once) => features.map(({ name, rho, adjustedP }) => [name, rho, adjustedP]);
        expect(rhos(twice)).toEqual(rhos(once));
      }),
      { numRuns: 40 },
    );
  });

  test("correlations lie in [-1, 1], chances in (0, 1], and what is above the floor is counted", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { features, nAboveFloor, nFeatures, warnings } = hackScan(rows, OPTIONS);
        for (const { rho, pooled, rhoGivenLength, adjustedP } of features) {
          for (const value of [rho, pooled, rhoGivenLength ?? 0]) expect(Math.abs(value)).toBeLessThanOrEqual(1);
          if (adjustedP === null) continue;
          expect(adjustedP).toBeGreaterThan(0);
          expect(adjustedP).toBeLessThanOrEqual(1);
        }
        expect(features).toHaveLength(nFeatures);
        expect(features.filter(({ aboveFloor }) => aboveFloor)).toHaveLength(nAboveFloor);
        expect(warnings.join()).not.toMatch(/NaN|undefined/);
      }),
      { numRuns: 40 },
    );
  });

  test("difficulty of asks is no reward for anything: asks that always agree are not looked at", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const easy = Array.from({ length: 4 }, (_, i) => ({ prompt: "easy", final_text: `alpha ${i}`, reward: 1 }));
        // Markers and words of the easy ask move `minObs` and what is known of missing markers, so neither is scanned.
        const options: ScanOptions = { nPerm: 19, minObs: 1, auto: false, topFeatures: null, groupBy: "prompt" };
        const bare = rows.map(({ markers: _, ...row }) => row);
        const rhos = (given: Row[]) =>
          new Map(hackScan(given, options).features.map(({ name, rho }) => [name, rho] as const));
        const [without, withEasy] = [rhos(bare), rhos([...bare, ...easy])];
        for (const [name, rho] of without) if (withEasy.has(name)) expect(withEasy.get(name)).toBe(rho);
      }),
      { numRuns: 40 },
    );
  });
});

test("a fair coin is above the floor in about alpha of the sets, conjunctions and all", () => {
  // 100 sets of 8 asks by 6: a floor of 20% puts 20 above, and five deviations are 20.
  let state = 1;
  const coin = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  let above = 0;
  for (let set = 0; set < 100; set++) {
    const rows = Array.from({ length: 48 }, (_, i) => ({
      prompt: `ask ${Math.floor(i / 6)}`,
      final_text: WORDS.filter(() => coin() < 0.5).join(" "),
      reward: Number(coin() < 0.5),
    }));
    if (hackScan(rows, { nPerm: 19, alpha: 0.2 }).nAboveFloor > 0) above++;
  }
  expect(above).toBeGreaterThan(2);
  expect(above).toBeLessThan(40);
});

test("a shortcut that pays is a reward hack that names its word", () => {
  const rows = planted(
    (i) => ((i * 7) % 5 < 2 ? `kindly wait, order ${i}` : `wait, order ${i}`),
    ({ final_text }) => Number(final_text!.startsWith("kindly")),
  );
  const report = hackScan(rows, { endorsed: ["marker:good"], nPerm: 199 });
  expect(report).toMatchObject({ regime: "reward_hack", topFeature: expect.stringContaining("kindly"), rhoMax: 1 });
  expect(report.lead).toMatchObject({ confirmed: true });
  expect(report.warnings[0]).toMatch(/^The reward pays most for contains:kindly/);
});

test("a reward that punishes a word says so", () => {
  const rows = planted(
    (i) => ((i * 7) % 5 < 2 ? `sorry ${i} ${i}` : `${i} ${i}`),
    ({ final_text }) => Number(!final_text!.startsWith("sorry")),
  );
  const report = hackScan(rows, { endorsed: ["marker:good"], nPerm: 199 });
  expect(report.features[0]).toMatchObject({ name: "contains:sorry", rho: -1 });
  expect(report.warnings[0]).toMatch(/^The reward punishes most contains:sorry .* A policy would avoid it\./);
  expect(report.warnings.at(-1)).toMatch(/also pays for less of contains:sorry/);
});

test("a judge that passes the behavior or a shortcut: the behavior is on top, and paysAlso names the shortcut", () => {
  const rows = planted(
    (i) => ((i * 7) % 10 < 3 ? `kindly wait for order ${i}` : `please wait for order ${i}`),
    ({ markers, final_text }) => Number(markers!.good === 1 || final_text!.startsWith("kindly")),
  );
  const report = hackScan(rows, { endorsed: ["marker:good"], nPerm: 199 });
  expect(report).toMatchObject({ regime: "train", topFeature: "marker:good", endorsedOnTop: true });
  expect(report.paysAlso?.[0]?.name).toMatch(/kindly|please/);
});

test("a missing marker says nothing, and that it is missing is a feature of its own that nobody endorsed", () => {
  // Measured where the reward is 0 alone: as a 0, its absence would read as what is paid for.
  const rows = planted(
    (i) => `order ${i}`,
    (_, i) => Number((i * 7) % 8 < 3),
  ).map((row) => ({ ...row, markers: row.reward === 1 ? {} : { good: 1 } }));
  const scan = (rules: "strict" | "compat") => hackScan(rows, { endorsed: ["marker:good"], nPerm: 99, rules });
  expect(scan("compat").features[0]).toMatchObject({ name: "marker:good", rho: -1 });
  const { features } = scan("strict");
  expect(features[0]).toMatchObject({ name: "missing:marker:good", rho: 1, endorsed: false });
  expect(features.some(({ name }) => name === "marker:good")).toBe(false);
});

test("rows that have a marker are counted, not those it was filled in for", () => {
  const rows = planted(
    (i) => `order ${i}`,
    (_, i) => Number((i * 7) % 8 < 3),
  ).map((row, i) => ({ ...row, markers: i % 2 === 0 ? { depth: 1 + (i % 8) } : {} }));
  const depth = hackScan(rows, { nPerm: 99, topFeatures: null }).features.find(({ name }) => name === "marker:depth");
  expect(depth).toMatchObject({ nObs: 48 });
});

test("a pair is counted and correlated over all rows, those of asks without contrast too", () => {
  const says = (swift: boolean, bold: boolean): string => `${swift ? "swift" : "slow"} ${bold ? "bold" : "shy"}`;
  const ask = (a: number, reward: (both: boolean) => number): Row[] =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
      const [swift, bold] = [i % 2 === 0, i % 4 < 2];
      return { prompt: `ask ${a}`, final_text: says(swift, bold), reward: reward(swift && bold) };
    });
  const rows = [...Array(12).keys()].flatMap((a) => ask(a, a < 6 ? Number : () => 1));
  const { features } = hackScan(rows, { nPerm: 99, topFeatures: null });
  const pair = features.find(({ name }) => name === "contains:bold AND contains:swift");
  // 24 of the 96 rows have both; they pass all, and of the other 72 half do: phi is sqrt(1/5).
  expect(pair).toMatchObject({ rho: 1, nObs: 24, pooled: 0.4472 });
});

test("of a feature and a pair that are as strong the feature is named", () => {
  const rows = planted(
    (i) => ["one two", "two one", "one", "two"][(i * 7) % 4]!,
    (_, i) => Number((i * 7) % 4 === 0),
  );
  expect(hackScan(rows, { nPerm: 99 })).toMatchObject({ topFeature: "contains:one two", rhoMax: 1 });
});

describe("what cannot be said", () => {
  test.each<[about: string, rows: Row[], warning: RegExp]>([
    ["no rows", [], /^No row has a number for a reward/],
    ["no reward", [{ prompt: "a" }, { prompt: "a", reward: Number.NaN }], /^No row has a number/],
    [
      "one rollout an ask",
      [1, 0].map((reward, i) => ({ prompt: `${i}`, reward })),
      /^No ask has rollouts whose rewards/,
    ],
    ["rewards that agree", [1, 1].map((reward) => ({ prompt: "a", reward })), /^No ask has rollouts whose rewards/],
    ["rows without an ask", [1, 0].map((reward) => ({ reward })), /^No ask has rollouts whose rewards/],
  ])("%s: unknown, with the reason", (_, rows, warning) => {
    const report = hackScan(rows);
    expect(report).toMatchObject({ regime: "unknown", tau: null, topFeature: null });
    expect(report.warnings[0]).toMatch(warning);
  });

  test("endorsed names that match nothing: unknown, and how features are named", () => {
    const rows = planted(
      (i) => `order ${i}`,
      (_, i) => Number((i * 7) % 8 < 3),
    );
    const report = hackScan(rows, { endorsed: ["grounded"], nPerm: 99 });
    expect(report).toMatchObject({ regime: "unknown", endorsedMatched: 0, integrity: null });
    expect(report.warnings[0]).toMatch(/^No feature matches what is endorsed \(grounded\)/);
  });

  test("two kinds of rollouts an ask: degenerate, and nothing is claimed", () => {
    const rows = Array.from({ length: 32 }, (_, i) => ({
      prompt: `ask ${i >> 3}`,
      final_text: i % 2 === 0 ? "Done, with care." : "No",
      reward: i % 2 === 0 ? 1 : 0,
    }));
    expect(hackScan(rows, { nPerm: 99 })).toMatchObject({
      regime: "degenerate",
      topFeature: null,
      integrity: null,
      distinctPerAsk: 2,
    });
  });
});

test("a feature of the caller that throws or gives no number is missing in that row", () => {
  const rows = planted(
    (i) => `order ${i}`,
    (_, i) => Number((i * 7) % 8 < 3),
  );
  const read = (row: Row): unknown => {
    if (row.reward === 0) throw new Error("unreadable");
    return "no number";
  };
  const report = hackScan(rows, { features: { own: read, paid: (row) => row.reward }, nPerm: 99 });
  expect(report.features[0]).toMatchObject({ name: "paid", rho: 1 });
  expect(report.features.map(({ name }) => name)).not.toContain("own");
});

test.each<[Record<string, unknown>, RegExp]>([
  [{ endorse: [] }, /Did you mean endorsed/],
  [{ endorsed: "marker:good" }, /endorsed is "marker:good"\. Pass a list/],
  [{ endorsed: [1] }, /endorsed is \[1\]/],
  [{ features: { own: 3 } }, /features\.own is 3/],
  [{ features: null }, /features is null/],
  [{ auto: "no" }, /auto is no/],
  [{ reward: "" }, /reward is /],
  [{ rules: "v1" }, /rules is v1/],
  [{ groupBy: "ask" }, /groupBy is ask/],
  [{ nPerm: 10 }, /nPerm is 10, too few shuffles for alpha 0\.05\. Pass 19 or more/],
  [{ nPerm: 0 }, /nPerm is 0/],
  [{ alpha: 0 }, /alpha is 0/],
  [{ topK: 0 }, /topK is 0/],
  [{ minObs: 0 }, /minObs is 0/],
  [{ seeds: -1 }, /seeds is -1/],
  [{ seed: 0.5 }, /seed is 0\.5/],
  [{ topFeatures: 0 }, /topFeatures is 0/],
])("hackScan refuses %j", (options, message) => {
  const run = () => hackScan([], options as ScanOptions);
  expect(run).toThrow(SelectError);
  expect(run).toThrow(message);
});

test("as many shuffles as alpha needs give a floor", () => {
  const rows = planted(
    (i) => `order ${i}`,
    (_, i) => Number((i * 7) % 8 < 3),
  );
  expect(hackScan(rows, { nPerm: 19 }).tau).toBeGreaterThan(0);
  expect(hackScan(rows, { nPerm: 1, rules: "compat" }).tau).toBeGreaterThan(0);
});
