import fc from "fast-check";
import { expect, test } from "vitest";
import { thriftEnd } from "./thrift-end.ts";

const view = (...bytes: number[]): DataView => new DataView(Uint8Array.from(bytes).buffer);

test.each<[string, number[], number]>([
  ["an empty structure", [0], 1],
  ["a number", [0x15, 0x02, 0], 3],
  ["a truth value, which takes no byte", [0x11, 0], 2],
  ["a text of three bytes", [0x18, 3, 97, 98, 99, 0], 6],
  ["a structure in a structure", [0x1c, 0x15, 2, 0, 0], 5],
  ["a list of two numbers", [0x19, 0x25, 1, 2, 0], 5],
  ["a list of two truth values", [0x19, 0x21, 1, 2, 0], 5],
  ["a field with a number of its own", [0x05, 0x40, 0x02, 0], 4],
])("%s ends where it ends", (_, bytes, end) => {
  expect(thriftEnd(view(...bytes, 7, 7), 0)).toBe(end);
});

test.each<[string, number[], RegExp]>([
  ["a list of more elements than bytes", [0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0], /claims 2147483647 elements/],
  ["a kind that is none", [0x1e, 0], /kind 14/],
  ["a number without end", [0x15, ...Array(11).fill(0xff)], /too long/],
  ["structures without end", Array(64).fill(0x1c), /too deep/],
])("%s is refused", (_, bytes, message) => {
  expect(() => thriftEnd(view(...bytes), 0)).toThrow(message);
});

test("bytes that end inside are a RangeError, so that more of them can be read", () => {
  expect(() => thriftEnd(view(0x18, 9, 97), 0)).toThrow(RangeError);
  expect(() => thriftEnd(view(0x15), 0)).toThrow(RangeError);
});

test("no bytes keep it busy", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      try {
        expect(thriftEnd(view(...bytes), 0)).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
});
