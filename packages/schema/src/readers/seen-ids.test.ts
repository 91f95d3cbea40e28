import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SeenIds } from "./seen-ids.ts";

test("an id is new once, and then it is where it was first", () => {
  const seen = new SeenIds();
  expect(seen.add("a", 0, 7)).toBeNull();
  expect(seen.add("b", 1, 8)).toBeNull();
  expect(seen.add("a", 2, 9)).toEqual({ file: 0, line: 7 });
  expect(seen.add("b", 2, 9)).toEqual({ file: 1, line: 8 });
});

test("a hundred thousand ids that differ in a digit are a hundred thousand ids", () => {
  const seen = new SeenIds();
  let known = 0;
  for (let i = 0; i < 100_000; i++) if (seen.add(`rollout-${i}`, 0, i) !== null) known++;
  expect(known).toBe(0);
  for (let i = 0; i < 100_000; i += 997) expect(seen.add(`rollout-${i}`, 1, 0)).toEqual({ file: 0, line: i });
});

test("it remembers what a Map would", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (ids) => {
      const seen = new SeenIds();
      const map = new Map<string, number>();
      for (const [line, id] of ids.entries()) {
        const before = map.get(id);
        expect(seen.add(id, 0, line)).toEqual(before === undefined ? null : { file: 0, line: before });
        if (before === undefined) map.set(id, line);
      }
    }),
  );
});
