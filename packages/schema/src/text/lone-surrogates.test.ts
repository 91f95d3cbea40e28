import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countLoneSurrogates, replaceLoneSurrogates } from "./lone-surrogates.ts";

test.each([
  ["x = \ud835", 1, "x = \ufffd"],
  ["\udce6\ud83d", 2, "\ufffd\ufffd"],
  ["📦", 0, "📦"],
  ["\ud83d📦", 1, "\ufffd📦"],
])("%j holds %i halves", (text, count, replaced) => {
  expect(countLoneSurrogates(text)).toBe(count);
  expect(replaceLoneSurrogates(text)).toBe(replaced);
});

test("replacing makes exactly what UTF-8 can hold", () => {
  const units = fc.array(fc.integer({ min: 0xd700, max: 0xe100 }), { maxLength: 8 });
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      expect(replaceLoneSurrogates(text)).toBe(Buffer.from(text).toString());
      expect(countLoneSurrogates(replaceLoneSurrogates(text))).toBe(0);
    }),
  );
});
