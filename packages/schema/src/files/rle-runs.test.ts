import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readRuns } from "./rle-runs.ts";

function numbers(bytes: readonly number[], width: number, n: number): number[] {
  const out = new Uint32Array(n);
  readRuns(Uint8Array.from(bytes), { start: 0, end: bytes.length, width, out });
  return [...out];
}

test.each([
  // bytes, width, numbers; the examples of the format's own text are 0 to 7 in three bits
  [[0b00000011, 0b10001000, 0b11000110, 0b11111010], 3, [0, 1, 2, 3, 4, 5, 6, 7]],
  [[8, 1], 1, [1, 1, 1, 1]],
  [[4, 0x39, 0x05], 11, [1337, 1337]],
  [[2, 3, 2, 0, 3, 0b01], 2, [3, 0, 1, 0, 0, 0]],
  [[2, 0xff, 0xff, 0xff, 0xff], 32, [2 ** 32 - 1]],
  [[], 0, [0, 0, 0]],
  // The last numbers without the padding behind them.
  [[0b00000101, 0b11111111, 0b1], 1, [1, 1, 1, 1, 1, 1, 1, 1, 1]],
])("%j of %i bits are %j", (bytes, width, expected) => {
  expect(numbers(bytes, width, expected.length)).toEqual(expected);
});

test("a run that claims more than is asked for is cut, and costs nothing", () => {
  expect(numbers([0xfe, 0xff, 0xff, 0xff, 0x0f, 1], 1, 2)).toEqual([1, 1]);
});

test.each([
  ["no run", [], 1],
  ["a run without its number", [4], 1],
  ["packed numbers that are not there", [3], 1],
  ["runs of nothing", [0, 0, 0, 0], 1],
  ["a length without an end", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1],
  ["numbers of 33 bits", [2, 0, 0, 0, 0, 0], 33],
])("%s is refused", (_, bytes, width) => {
  expect(() => numbers(bytes, width, 2)).toThrow(/^a (?:page|number in a page) /);
});

test("numbers come back from runs and from packed bits, in any order of both", () => {
  const pieces = fc.integer({ min: 1, max: 32 }).chain((width) => {
    const number = fc.integer({ min: 0, max: 2 ** width - 1 });
    const run = fc.record({ number, count: fc.integer({ min: 1, max: 70 }) });
    const packed = fc.array(number, { minLength: 8, maxLength: 8 });
    return fc.tuple(fc.constant(width), fc.array(fc.oneof(run, packed), { minLength: 1, maxLength: 6 }));
  });
  fc.assert(
    fc.property(pieces, ([width, list]) => {
      const bytes: number[] = [];
      const expected: number[] = [];
      for (const piece of list) {
        if (Array.isArray(piece)) {
          bytes.push(3, ...packedBits(piece, width));
          expected.push(...piece);
        } else {
          // 70 runs and fewer have a length of one byte or two.
          const head = piece.count * 2;
          bytes.push(...(head < 128 ? [head] : [(head & 127) | 128, head >> 7]));
          for (let shift = 0; shift < width; shift += 8) bytes.push(Math.floor(piece.number / 2 ** shift) & 255);
          expected.push(...new Array<number>(piece.count).fill(piece.number));
        }
      }
      expect(numbers(bytes, width, expected.length)).toEqual(expected);
    }),
  );
});

function packedBits(list: readonly number[], width: number): number[] {
  const bits = list.flatMap((number) => Array.from({ length: width }, (_, i) => Math.floor(number / 2 ** i) % 2));
  return Array.from({ length: width }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((sum, bit, j) => sum + bit * 2 ** j, 0),
  );
}
