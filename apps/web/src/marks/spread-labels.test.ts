import fc from "fast-check";
import { expect, test } from "vitest";
import { spreadLabels } from "./spread-labels.ts";

const ends = { apart: 15, low: 0, high: 200 };

test.each([
  [
    [10, 100],
    [10, 100],
  ],
  [
    [100, 100],
    [100, 115],
  ],
  [
    [110, 100],
    [115, 100],
  ],
  [
    [199, 198],
    [200, 185],
  ],
  [[-5], [0]],
  [[], []],
])("spreadLabels(%j) is %j", (wanted, placed) => expect(spreadLabels(wanted, ends)).toEqual(placed));

test("labels keep their distance and their order where there is room", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 10 }), (wanted) => {
      const placed = spreadLabels(wanted, ends).toSorted((a, b) => a - b);
      for (const [place, at] of placed.entries()) {
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(200);
        if (place > 0) expect(at - placed[place - 1]!).toBeGreaterThanOrEqual(15);
      }
    }),
  );
});
