import { expect, test } from "vitest";
import { readPoint } from "./read-point.ts";

test("finite numbers stay, infinities are gaps that are counted, and what is no number is left out and counted", () => {
  const read = readPoint({
    step: 4,
    ts: 10.5,
    loss: 1.2,
    kl: Number.POSITIVE_INFINITY,
    reward: null,
    note: "x",
    flag: true,
  });
  expect(read).toEqual({
    step: 4,
    ts: 10.5,
    values: new Map([
      ["loss", 1.2],
      ["kl", null],
      ["reward", null],
    ]),
    dropped: 3,
  });
});

test("a point carries at most 100 series", () => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`s${i}`, i]));
  const { values, dropped } = readPoint({ step: 0, ...many });
  expect([values.size, dropped]).toEqual([100, 20]);
});
