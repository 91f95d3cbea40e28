import { rowsSummary } from "@while/platform-client/rules";
import { expect, test } from "vitest";
import { goldTable, kindTags } from "./gold-table.ts";

const rows = (ok: boolean, gold: string | null, times: number) => ({ ok, times, tags: gold === null ? {} : { gold } });

test("grades against labels: how often they agree, beyond chance, and in which words", () => {
  const { byTag } = rowsSummary([
    rows(true, "pass", 40),
    rows(true, "0", 5),
    rows(false, "1", 10),
    rows(false, "fail", 45),
    rows(true, "unsure", 9),
    rows(false, null, 99),
  ]);
  const found = goldTable(byTag)!;
  expect(found).toMatchObject({ tag: "gold", labeled: 100, agreement: 0.85, table: { tp: 40, fp: 5, fn: 10, tn: 45 } });
  expect(found.words.passed.toSorted()).toEqual(["1", "pass"]);
  expect(found.words.failed.toSorted()).toEqual(["0", "fail"]);
  // (0.85 - 0.5) / (1 - 0.5): both say pass of about half.
  expect(found.kappa).toBeCloseTo(0.7, 12);
  expect(found.ci95[0]).toBeCloseTo(0.767, 3);
});

test("rows without a label in them are not held against anything", () => {
  expect(goldTable(rowsSummary([rows(true, null, 3)]).byTag)).toBeNull();
  expect(goldTable(rowsSummary([rows(true, "unsure", 3)]).byTag)).toBeNull();
});

test("where both say one thing throughout there is no kappa", () => {
  expect(goldTable(rowsSummary([rows(true, "pass", 30)]).byTag)).toMatchObject({ agreement: 1, kappa: null });
});

test("a gold label is no kind of row; a tag of that name with other words is one", () => {
  const tagged = (gold: string) => rowsSummary([{ ok: true, tags: { gold, kind: "late" } }]).byTag;
  expect(Object.keys(kindTags(tagged("pass")))).toEqual(["kind"]);
  expect(Object.keys(kindTags(tagged("24 karat")))).toEqual(["gold", "kind"]);
});
