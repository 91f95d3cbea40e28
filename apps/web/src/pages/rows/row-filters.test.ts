import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../../search.ts";
import { filterWords, isFiltered, queryOf, readFilters, withoutFilters, withRange, withTag } from "./row-filters.ts";

const filtersOf = (text: string) => readFilters(parseSearch(text));

test.each<[string, object]>([
  ["", {}],
  ["ok=0", { ok: false }],
  ["ok=1&q=late", { ok: true, q: "late" }],
  ["ok=odd", {}],
  ["cut=1", { cut: true }],
  ["cut=0&q=", {}],
  ["tag.reason=damaged", { "tag.reason": ["damaged"] }],
  ["tag.reason=a&tag.reason=b&tag.lang=de", { "tag.reason": ["a", "b"], "tag.lang": ["de"] }],
  ["tag.reason=", {}],
  ["tag.__proto__=x", { "tag.__proto__": ["x"] }],
  ["min.turns=3&max.turns=5.5", { "min.turns": "3", "max.turns": "5.5" }],
  ["min.a.b=0", { "min.a.b": "0" }],
  ["min.turns=x&max.turns=&min.=1", {}],
  ["scoreMin=0&scoreMax=0.5", { scoreMin: 0, scoreMax: 0.5 }],
  ["scoreMin=much", {}],
])("?%s asks for %j", (text, query) => {
  expect(queryOf(filtersOf(text))).toEqual(query);
});

test("the counts of a tag's own values leave that tag open", () => {
  expect(queryOf(filtersOf("tag.a=1&tag.b=2&min.a=1&max.b=2"), { without: "a" })).toEqual({
    "tag.b": ["2"],
    "max.b": "2",
  });
});

test("a value is chosen, joined by a second, and given back; the page begins anew", () => {
  const one = withTag(parseSearch("page=3&row=120&ok=0"), "reason", "a & b");
  expect(stringifySearch(one)).toBe("?ok=0&tag.reason=a+%26+b");
  const two = withTag(one, "reason", "c");
  expect(two["tag.reason"]).toEqual(["a & b", "c"]);
  expect(withTag(two, "reason", "a & b")["tag.reason"]).toEqual(["c"]);
  expect(stringifySearch(withTag(one, "reason", "a & b"))).toBe("?ok=0");
});

test("a range is chosen and given back, of a tag and of the score", () => {
  const before = parseSearch("page=3&task=7&ok=0");
  const turns = withRange(before, "turns", { min: 0, max: 5 });
  expect(stringifySearch(turns)).toBe("?ok=0&min.turns=0&max.turns=5");
  expect(stringifySearch(withRange(turns, "turns", { min: null, max: 9 }))).toBe("?ok=0&max.turns=9");
  expect(stringifySearch(withRange(turns, "turns", null))).toBe("?ok=0");
  expect(stringifySearch(withRange(before, null, { min: 0.5, max: null }))).toBe("?ok=0&scoreMin=0.5");
});

test("all filters are taken back at once, and nothing else is", () => {
  const before = parseSearch("agent=a&behavior=b&ok=0&tag.x=1&min.x=1&max.y=2&scoreMin=0&q=w&cut=1&page=2&sort=score");
  const after = { ...before, ...withoutFilters(before) };
  expect(isFiltered(readFilters(after))).toBe(false);
  expect(stringifySearch(after)).toBe("?agent=a&behavior=b&sort=score");
});

test.each([
  ["", "rows"],
  ["ok=0&tag.reason=damaged&tag.reason=late&tag.lang=de", "failed rows with reason damaged or late, and lang de"],
  ["min.turns=3&max.turns=5&scoreMax=0.5", "rows with turns 3 to 5, and a score up to 0.5"],
  ["min.turns=3&max.turns=3&scoreMin=0.5", "rows with turns 3, and a score from 0.5"],
  ['q=say "hi"&cut=1', 'rows with the words "say \\"hi\\"", and a text that was cut'],
])("?%s in words", (text, words) => {
  expect(filterWords(filtersOf(text))).toBe(words);
});
