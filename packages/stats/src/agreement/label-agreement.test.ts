import { expect, test } from "vitest";
import { wilsonInterval } from "../interval/wilson-interval.ts";
import { formatLabelAgreement } from "./format-label-agreement.ts";
import { labelAgreement } from "./label-agreement.ts";

const JUDGE = [1, 1, 1, 1, 1, 0, 0, 0, 1, null, true, "1", 0.5];
const GOLD = [1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1];

test("only a number 0 or 1 on both sides is a pair; the rest is counted", () => {
  const report = labelAgreement(JUDGE, GOLD);
  expect(report).toMatchObject({ n: 9, nSkipped: 4, tp: 5, fp: 1, fn: 1, tn: 2 });
  expect(report.agreement).toBe(7 / 9);
  expect(report.ci95).toEqual(wilsonInterval(7, 9));
  expect(report).toMatchObject({ passWhenGoldFail: 1 / 3, failWhenGoldPass: 1 / 6 });
  expect(report).toMatchObject({ judgePassRate: 6 / 9, goldPassRate: 6 / 9, kappa: 0.5, kappaNote: null });
});

test("formatLabelAgreement prints the agreement, what chance explains, and the table", () => {
  expect(formatLabelAgreement(labelAgreement(JUDGE, GOLD))).toBe(
    [
      "agreement 78% [0.45..0.94] on 9 rows (4 more without a 0 or 1 on both sides)",
      "  kappa 0.50 [-0.10..1.00], AC1 0.60, PABAK 0.56",
      "  both pass 5, both fail 2, only the judge passes 1, only gold passes 1",
    ].join("\n"),
  );
});

test("gold of one class: the rate it has no rows for is null, and agreement by default is no kappa", () => {
  const report = labelAgreement([1, 1, 1], [1, 1, 1]);
  expect(report).toMatchObject({ agreement: 1, kappa: null, kappaSe: null, kappaNote: "one_class" });
  expect(report).toMatchObject({ passWhenGoldFail: null, failWhenGoldPass: 0 });
  expect(formatLabelAgreement(report)).toContain("kappa not measured: both sides gave one class throughout, AC1 1.00");
});

test("no pair measures nothing", () => {
  const report = labelAgreement([null, "0"], [1, 0]);
  expect(report).toMatchObject({ n: 0, agreement: null, ci95: null, kappaNote: "no_labels", ac1: null, pabak: null });
  expect(formatLabelAgreement(report)).toBe("agreement: not measured, 2 rows without a 0 or 1 on both sides");
});

test("lists of two lengths are refused", () => {
  expect(() => labelAgreement([1], [1, 0])).toThrow("1 verdicts and 2 gold labels");
});
