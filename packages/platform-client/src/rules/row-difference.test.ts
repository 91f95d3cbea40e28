import { compareRuns } from "@while/stats";
import { expect, test } from "vitest";
import { rowDifference } from "./row-difference.ts";

/** `"a"` asked three times, of which two passed: `side({ a: "110" })`. */
const side = (asks: Record<string, string>) =>
  Object.entries(asks).flatMap(([key, oks]) => [...oks].map((ok) => ({ key, ok: ok === "1" })));

test("the difference is the mean over shared tasks of each task's own, in points", () => {
  const before = side({ a: "10", b: "00", c: "11", d: "1", gone: "1" });
  const after = side({ a: "11", b: "0100", c: "11", d: "1", new: "0" });
  // a 50 to 100, b 0 to 25, c and d the same: (50 + 25 + 0 + 0) / 4.
  expect(rowDifference(before, after)).toMatchObject({ tasks: 4, before: 62.5, after: 81.25, delta: 18.75 });
});

test("pairing sees what two intervals of their own do not", () => {
  const oks = (better: boolean) =>
    Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`t${i}`, i % 2 || (better && i % 10 === 0) ? "1" : "0"]));
  const found = rowDifference(side(oks(false)), side(oks(true)));
  expect(found).toMatchObject({ tasks: 80, delta: 10, verdict: "b_better" });
  expect(found!.ci95![0]).toBeGreaterThan(0);
  // Two independent intervals at 50 and 60 of 80 tasks: √(11² + 10.7²) is over 15 points.
  const rows = (better: boolean) =>
    Object.entries(oks(better)).map(([id, ok]) => ({ scenario_id: id, reward: Number(ok) }));
  expect(found!.ci95).toEqual(compareRuns(rows(false), rows(true)).ci95!.map((share) => 100 * share));
});

test("one shared task says nothing of a spread", () => {
  expect(rowDifference(side({ a: "1", b: "1" }), side({ a: "0", c: "1" }))).toBeNull();
});
