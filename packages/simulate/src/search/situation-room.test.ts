import fc from "fast-check";
import { expect, test } from "vitest";
import { SituationRoom } from "./situation-room.ts";

test("a situation is open until it has its prompts, and a new one until there are enough situations", () => {
  const room = new SituationRoom({ situations: 2, prompts: 2 });
  expect([room.isOpen("sc-a"), room.left]).toEqual([true, 4]);
  room.add("sc-a");
  expect([room.isOpen("sc-a"), room.prompts("sc-a"), room.left]).toEqual([true, 1, 3]);
  room.add("sc-a");
  expect([room.isOpen("sc-a"), room.isOpen("sc-b"), room.left]).toEqual([false, true, 2]);
  room.add("probe_1");
  // A prompt without a cell is a situation of one wording.
  expect([room.isOpen("sc-c"), room.left]).toEqual([false, 0]);
});

test("a copy tries out what the room does not take", () => {
  const room = new SituationRoom({ situations: 1, prompts: 1 });
  const copy = room.copy();
  copy.add("sc-a");
  expect([copy.isOpen("sc-b"), room.isOpen("sc-b"), room.prompts("sc-a")]).toEqual([false, true, 0]);
});

test("without a number of situations all are open", () => {
  const room = new SituationRoom({ situations: null, prompts: 1 });
  room.add("sc-a");
  expect([room.isOpen("sc-a"), room.isOpen("sc-b"), room.left]).toEqual([true, true, Number.POSITIVE_INFINITY]);
});

test("who adds what is open only, stays within the limits", () => {
  const limits = fc.record({ situations: fc.integer({ min: 1, max: 4 }), prompts: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(limits, fc.array(fc.constantFrom("sc-a", "sc-b", "sc-c", "sc-d", "sc-e")), (given, ids) => {
      const room = new SituationRoom(given);
      const before = room.left;
      let taken = 0;
      for (const id of ids) {
        if (!room.isOpen(id)) continue;
        room.add(id);
        taken++;
      }
      expect(room.left).toBe(before - taken);
      expect(room.left).toBeGreaterThanOrEqual(0);
    }),
  );
});
