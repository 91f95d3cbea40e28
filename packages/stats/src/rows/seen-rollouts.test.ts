import fc from "fast-check";
import { expect, test } from "vitest";
import { SeenRollouts } from "./seen-rollouts.ts";

test("it counts what a set of pairs counts", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.string({ maxLength: 2 })), { maxLength: 200 }), (rollouts) => {
      const seen = new SeenRollouts();
      for (const [task, id] of rollouts) seen.add(task, id);
      expect(seen.nRepeated).toBe(rollouts.length - new Set(rollouts.map(([task, id]) => `${task} ${id}`)).size);
    }),
  );
});

test("two hundred thousand ids that differ in one digit are all different", () => {
  const seen = new SeenRollouts();
  for (let i = 0; i < 200_000; i++) seen.add(i % 50, `rollout-${i}`);
  expect(seen.nRepeated).toBe(0);
  seen.add(7, "rollout-7");
  expect(seen.nRepeated).toBe(1);
});
