import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../../search.ts";
import { filterWords, isFiltered, queryOf, readFilters, withoutFilters, withTag } from "./row-filters.ts";

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
])("?%s asks for %j", (text, query) => {
  expect(queryOf(filtersOf(text))).toEqual(query);
});

test("the counts of a tag's own values leave that tag open", () => {
  expect(queryOf(filtersOf("tag.a=1&tag.b=2"), { without: "a" })).toEqual({ "tag.b": ["2"] });
});

test("a value is chosen, joined by a second, and given back; the page begins anew", () => {
  const one = withTag(parseSearch("page=3&row=120&ok=0"), "reason", "a & b");
  expect(stringifySearch(one)).toBe("?ok=0&tag.reason=a+%26+b");
  const two = withTag(one, "reason", "c");
  expect(two["tag.reason"]).toEqual(["a & b", "c"]);
  expect(withTag(two, "reason", "a & b")["tag.reason"]).toEqual(["c"]);
  expect(stringifySearch(withTag(one, "reason", "a & b"))).toBe("?ok=0");
});

test("all filters are taken back at once, and nothing else is", () => {
  const before = parseSearch("agent=a&behavior=b&ok=0&tag.x=1&q=w&cut=1&page=2&sort=score");
  const after = { ...before, ...withoutFilters(before) };
  expect(isFiltered(readFilters(after))).toBe(false);
  expect(stringifySearch(after)).toBe("?agent=a&behavior=b&sort=score");
});

test.each([
  ["", "rows"],
  ["ok=0&tag.reason=damaged&tag.reason=late&tag.lang=de", "failed rows with reason damaged or late, and lang de"],
  ['q=say "hi"&cut=1', 'rows with the words "say \\"hi\\"", and a text that was cut'],
])("?%s in words", (text, words) => {
  expect(filterWords(filtersOf(text))).toBe(words);
});
