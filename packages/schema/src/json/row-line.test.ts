import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsonText } from "./json-text.ts";
import { emptyWriteNotes, rowLine } from "./row-line.ts";

test.each([
  [{ a: Number.NaN, b: [Number.POSITIVE_INFINITY] }, '{"a":null,"b":[null]}', { nonFinite: 2 }],
  [{ id: 9007199254740993n }, '{"id":"9007199254740993"}', { stringified: 1 }],
  [{ m: new Map([["a", 1]]), s: new Set([1]) }, '{"m":{"a":1},"s":[1]}', { stringified: 2 }],
  [{ f: Symbol("x") }, '{"f":"Symbol(x)"}', { stringified: 1 }],
  [{ e: new Error("boom") }, '{"e":"Error: boom"}', { stringified: 1 }],
  [{ d: new Date(0) }, '{"d":"1970-01-01T00:00:00.000Z"}', { stringified: 0 }],
  [{ t: new Float32Array([1, 2]) }, '{"t":[1,2]}', { stringified: 1 }],
  [{ u: undefined, v: 1 }, '{"v":1}', { stringified: 0 }],
])("%o is written as %s", (row, line, counted) => {
  const notes = emptyWriteNotes();
  expect(rowLine(row, notes)).toBe(line);
  expect(notes).toMatchObject(counted);
});

test("half a surrogate pair is written as an escape, counted, and named by its row", () => {
  const notes = emptyWriteNotes();
  expect(rowLine({ a: "ok 😀" }, notes, 1)).toBe('{"a":"ok 😀"}');
  expect(rowLine({ a: "x \ud835", b: "\\ud835" }, notes, 2)).toBe('{"a":"x \\ud835","b":"\\\\ud835"}');
  expect(notes).toMatchObject({ loneSurrogates: 1, firstLoneSurrogate: "row 2" });
});

test("characters at which some readers break a line are written as escapes", () => {
  expect(rowLine({ a: "x\u2028y\u2029z\u0085" })).toBe('{"a":"x\\u2028y\\u2029z\\u0085"}');
});

test("a row that refers to itself is refused, not written until the stack ends", () => {
  const row: Record<string, unknown> = {};
  row.self = row;
  expect(() => rowLine(row, emptyWriteNotes(), 3)).toThrow(/Row 3 nests deeper than 512 levels/);
});

test("one line, one value: whatever JSON can hold comes back as it was", () => {
  const unit = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe00f }).map((code) => String.fromCharCode(code)) }),
  );
  const value = fc.object({
    key: unit,
    values: [unit, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)],
  });
  fc.assert(
    fc.property(value, (row) => {
      const line = rowLine(row);
      expect(line).not.toMatch(/[\n\u2028\u2029\u0085]/);
      // JSON has no -0.
      expect(parseJsonText(line)).toEqual(JSON.parse(JSON.stringify(row)));
      expect(new TextDecoder("utf-8", { fatal: true }).decode(new TextEncoder().encode(line))).toBe(line);
    }),
  );
});
