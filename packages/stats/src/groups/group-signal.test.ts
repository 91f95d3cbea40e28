import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { passAt } from "../pass-at/pass-at.ts";
import { groupSignal } from "./group-signal.ts";

const rows = (task_id: string, rewards: (number | null)[]): Row[] => rewards.map((reward) => ({ task_id, reward }));

test("edges of the band are inside even where the rate is off by rounding", () => {
  const tasks = [...rows("a", [1, 1, 1, ...Array(7).fill(0)]), ...rows("b", [1, 0])];
  expect(groupSignal(tasks, { lo: 0.1 + 0.2, hi: 0.5 }).nInBand).toBe(2);
});

test("the k-way numbers are those of passAt", () => {
  const tasks = [
    ...rows("a", [1, 0, 1, 0]),
    ...rows("b", [1, 1, 1, 1, 0]),
    ...rows("c", [0, null]),
    ...rows("d", [0.5]),
  ];
  const { k, passAt1, passPowK, passAtK, headroom, nGroups } = groupSignal(tasks);
  const report = passAt(tasks);
  expect({ k, passAt1, passPowK, passAtK, headroom, nGroups }).toEqual({
    k: report.k,
    passAt1: report.passAt1,
    passPowK: report.passPowK,
    passAtK: report.passAtK,
    headroom: report.headroom,
    nGroups: report.nGroups,
  });
});

test("rows without a key are singles, not one mixed group", () => {
  const { nSingle, nMixed } = groupSignal([{ reward: 1 }, { reward: 0 }]);
  expect({ nSingle, nMixed }).toEqual({ nSingle: 2, nMixed: 0 });
});

test("nothing graded has no rate", () => {
  const { nGroups, mixedRate, passAt1 } = groupSignal([{ task_id: "a" }]);
  expect({ nGroups, mixedRate, passAt1 }).toEqual({ nGroups: 0, mixedRate: null, passAt1: null });
});

test("a band that is none and an unknown option are refused", () => {
  expect(() => groupSignal([], { lo: 0.8, hi: 0.2 })).toThrow("The band is 0.8 to 0.2.");
  expect(() => groupSignal([], { low: 0.1 } as object)).toThrow("There is no option low.");
});
