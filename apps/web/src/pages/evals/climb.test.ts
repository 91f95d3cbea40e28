import { expect, test } from "vitest";
import { climbOf, climbSentence, DRAWN, namedPoints, newestOf } from "./climb.ts";

const versions = [
  { v: "base", score: 61, ci: 3.7, n: 240, run: "r0", testVersion: "t-old" },
  { v: "v3", score: 78, ci: 3.3, n: 240, run: "r3", testVersion: "t-new" },
  { v: "v4", score: 83, ci: null, n: 240, run: "r4", testVersion: "t-new" },
];
const options = {
  behavior: { name: "refunds", testVersion: "t-new", noiseFloor: 2.4 },
  serving: "v3",
  candidate: "v4",
};

test("who serves is ink, the candidate the accent, and another test is said", () => {
  const { points } = climbOf(versions, options);
  expect(points.map(({ version, role, half, otherTest }) => [version, role, half, otherTest])).toEqual([
    ["base", "rest", 3.7, "t-old"],
    ["v3", "ink", 3.3, null],
    ["v4", "accent", null, null],
  ]);
});

test("the band of a re-run lies around the served score, and is part of what is drawn", () => {
  const { band, domain } = climbOf(versions.slice(1, 2), { ...options, behavior: { name: "b", noiseFloor: 10 } });
  expect(band).toEqual([68, 88]);
  expect(domain[0]).toBeLessThanOrEqual(68);
  expect(domain[1]).toBeGreaterThanOrEqual(88);
});

test.each([
  ["nothing serves", { ...options, serving: null }],
  ["the floor is not measured", { ...options, behavior: { name: "b" } }],
  ["the served score is of another test", { ...options, serving: "base" }],
])("no band where %s", (_, given) => {
  expect(climbOf(versions, given).band).toBeNull();
});

test("100 ± 0 of four is drawn as wide as it is", () => {
  const [point] = climbOf([{ v: "v1", score: 100, ci: 0, n: 4 }], { ...options, behavior: undefined }).points;
  expect(point!.half).toBeCloseTo(48.99, 2);
});

test("no version is a domain too", () => {
  expect(climbOf([], options)).toEqual({ points: [], band: null, domain: [0, 1] });
});

test("one sentence says it", () => {
  expect(climbSentence("refunds", climbOf(versions, options))).toBe("refunds: base 61 ± 3.7, v3 78 ± 3.3, v4 83");
  const many = Array.from({ length: 40 }, (_, i) => ({ v: `v${i}`, score: i, ci: null, n: 9, run: null }));
  expect(climbSentence("b", climbOf(many, options))).toMatch(/^b: 40 versions, among them v0 0, v29 29, .*v39 39$/);
});

test("names keep apart, and those with a role go first", () => {
  const all = Array.from({ length: 10 }, (_, i) => ({ role: i === 3 ? ("ink" as const) : ("rest" as const) }));
  expect(namedPoints(all, 46)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(namedPoints(all, 20)).toEqual([0, 3, 6, 9]);
  expect(namedPoints([], 20)).toEqual([]);
});

test("of many versions the newest are drawn, and the one that serves", () => {
  const many = Array.from({ length: 100 }, (_, i) => ({ v: `v${i}`, score: i, ci: 1, n: 9, run: null }));
  const drawn = (serving: string) =>
    newestOf(climbOf(many, { ...options, serving }).points).map(({ version }) => version);
  expect(drawn("v3").slice(0, 2)).toEqual(["v3", `v${101 - DRAWN}`]);
  expect(drawn("v98")[0]).toBe(`v${100 - DRAWN}`);
  expect(drawn("v3")).toHaveLength(DRAWN);
  expect(climbOf(many, { ...options, serving: "v98" }).domain[0]).toBeGreaterThan(50);
});
