import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { codePointLength, compareCodePoints, cutCodePoints } from "./code-points.ts";

const texts = fc.string({ unit: "binary", maxLength: 8 });

/** Any UTF-16 units, from few enough that pairs, halves of pairs and shared beginnings are common. */
const units = fc.constantFrom(0x61, 0xd7ff, 0xd83d, 0xd83e, 0xdc00, 0xde00, 0xe000, 0xffff);
const unitTexts = fc.array(units, { maxLength: 6 }).map((codes) => String.fromCharCode(...codes));

test.each([
  ["", 0],
  ["📦é", 2],
  ["e\u0301", 2],
  ["\ud83d", 1],
  ["\udce6\ud83d", 2],
])("codePointLength(%j) is %i", (text, length) => {
  expect(codePointLength(text)).toBe(length);
});

test("codePointLength counts what iterating a string yields", () => {
  fc.assert(
    fc.property(unitTexts, (text) => {
      expect(codePointLength(text)).toBe([...text].length);
    }),
  );
});

test("cutCodePoints keeps the first n code points and never half of one", () => {
  expect(cutCodePoints("📦📦📦", 2)).toBe("📦📦");
  fc.assert(
    fc.property(unitTexts, fc.nat(8), (text, n) => {
      expect(cutCodePoints(text, n)).toBe([...text].slice(0, n).join(""));
    }),
  );
});

test("Ａ comes before 😀, which a bare sort puts first", () => {
  expect(["😀", "Ａ", "a", ""].toSorted(compareCodePoints)).toEqual(["", "a", "Ａ", "😀"]);
});

test("half a pair comes before every pair that begins with it, whatever follows the half", () => {
  expect(compareCodePoints("\ud83d\ue000", "\ud83d\ude00")).toBeLessThan(0);
  expect(compareCodePoints("\ud83d\ude00", "\ud83d\uffff")).toBeGreaterThan(0);
});

test("the order of texts is the order of their UTF-8 bytes", () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test("the order is total over every text, half pairs included", () => {
  fc.assert(
    fc.property(unitTexts, unitTexts, unitTexts, (a, b, c) => {
      const byPoints = (x: string, y: string) => {
        const [p, q] = [x, y].map((text) => Array.from(text, (char) => char.codePointAt(0)!)) as [number[], number[]];
        const at = p.findIndex((point, i) => point !== q[i]);
        return at === -1 ? p.length - q.length : at >= q.length ? 1 : p[at]! - q[at]!;
      };
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(byPoints(a, b)));
      expect(Math.sign(compareCodePoints(a, b)) + Math.sign(compareCodePoints(b, a))).toBe(0);
      if (compareCodePoints(a, b) <= 0 && compareCodePoints(b, c) <= 0) {
        expect(compareCodePoints(a, c)).toBeLessThanOrEqual(0);
      }
    }),
  );
});
