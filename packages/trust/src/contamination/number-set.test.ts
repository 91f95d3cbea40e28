import * as fc from "fast-check";
import { expect, test } from "vitest";
import { NumberSet } from "./number-set.ts";

test("a number set holds what was added since it was cleared, each once and in order", () => {
  const set = new NumberSet();
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { maxLength: 600 }), (values) => {
      set.clear();
      for (const value of values) set.add(value);
      expect([...set.values.subarray(0, set.size)]).toEqual([...new Set(values)]);
      for (const value of [0, 7, 5000, 9999]) expect(set.has(value)).toBe(values.includes(value));
    }),
  );
});
