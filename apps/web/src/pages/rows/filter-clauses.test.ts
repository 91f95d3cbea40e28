import { rowsSummary } from "@while/platform-client/rules";
import { expect, test } from "vitest";
import { parseSearch } from "../../search.ts";
import { clausesOf } from "./filter-clauses.ts";
import { readFilters } from "./row-filters.ts";

const counts = rowsSummary([
  { ok: false, tags: { reason: "damaged", lang: "en" } },
  { ok: true, tags: { reason: "damaged", lang: "en" } },
  { ok: false, tags: { reason: "late", lang: "de" } },
]);
const all = { ...counts, scores: null };

test.each([
  ["ok=0&tag.reason=damaged&tag.lang=de", [1, 1]],
  ["ok=1&tag.reason=damaged&tag.lang=de", [1, 0]],
  ["tag.reason=damaged&tag.reason=late", [3]],
  ["tag.reason=constructor", [0]],
  ["tag.constructor=x&q=y&cut=1", [0, null, null]],
  ["min.turns=3&scoreMax=0.5", [null, null]],
])("?%s would each leave %j", (text, alone) => {
  expect(clausesOf(readFilters(parseSearch(text)), all).map((clause) => clause.alone)).toEqual(alone);
});
