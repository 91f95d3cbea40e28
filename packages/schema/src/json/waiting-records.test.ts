import fc from "fast-check";
import { expect, test } from "vitest";
import type { SourceObject } from "./record-reader.ts";
import { WaitingRecords } from "./waiting-records.ts";

const oddNumber = fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0);
const anyRecord = fc.dictionary(
  fc.string({ unit: "binary" }),
  fc.oneof(fc.jsonValue({ noUnicodeString: false }), oddNumber, fc.array(fc.oneof(fc.jsonValue(), oddNumber))),
) as fc.Arbitrary<SourceObject>;

test("a record is asked for in any order, any number of times, while others are still put", () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { minLength: 1 }), fc.infiniteStream(fc.nat()), (records, draws) => {
      const waiting = new WaitingRecords();
      for (const [i, record] of records.entries()) {
        expect(waiting.put(record)).toBe(i);
        const drawn = draws.next().value % waiting.length;
        // A dictionary may have no prototype.
        expect(waiting.at(drawn)).toEqual({ ...records[drawn] });
      }
      expect(waiting.length).toBe(records.length);
    }),
  );
});

test("records longer than a block, and those on both sides of its edge, are whole", () => {
  const waiting = new WaitingRecords();
  const texts = [400_000, 3, 400_000, 3_000_000, 0, 400_000, 1_000_000].map((length, i) => `${i}é`.repeat(length));
  for (const text of texts) waiting.put({ text });
  for (const [i, text] of texts.entries()) expect(waiting.at(i).text === text).toBe(true);
});

test("__proto__ is a key like any other, and half a surrogate pair stays half", () => {
  const waiting = new WaitingRecords();
  const record = JSON.parse('{"__proto__":{"a":1},"half":"\\ud835"}');
  waiting.put(record);
  expect(Object.keys(waiting.at(0))).toEqual(["__proto__", "half"]);
  expect(waiting.at(0)).toEqual(record);
});
