import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeRecord, mergeSummary } from "./merge-record.ts";

test.each([
  [
    "empty pins at the end keep those of the opening",
    { provenance: { pins: { harness: "bbbb", model: "m" } } },
    { provenance: { pins: {}, adapter: "vol:/a" } },
    { provenance: { pins: { harness: "bbbb", model: "m" }, adapter: "vol:/a" } },
  ],
  ["null deletes a field", { data: { train: "a", nTrain: 3 } }, { data: { nTrain: null } }, { data: { train: "a" } }],
  ["null deletes a block", { data: { train: "a" }, eval: { k: 4 } }, { data: null }, { eval: { k: 4 } }],
  ["a block on nothing", null, { eval: { k: 4 } }, { eval: { k: 4 } }],
  ["a list is a value", { a: { b: [1] } }, { a: { b: [2, 3] } }, { a: { b: [2, 3] } }],
])("%s", (_, before, given, expected) => expect(mergeRecord(before, given)).toEqual(expected));

const record = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string())));
test("merging again changes nothing, and what came is there", () => {
  fc.assert(
    fc.property(record, record, (before, given) => {
      const once = mergeRecord(before, given);
      expect(mergeRecord(once, given)).toEqual(once);
      expect(mergeRecord(given, {})).toEqual(mergeRecord(undefined, given));
    }),
  );
});

test("a summary keeps null, which says not measured", () => {
  expect(mergeSummary({ a: 1, b: 2 }, { b: null, c: 3 })).toEqual({ a: 1, b: null, c: 3 });
});
