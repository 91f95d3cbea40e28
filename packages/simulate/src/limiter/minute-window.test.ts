import fc from "fast-check";
import { expect, test } from "vitest";
import { MinuteWindow } from "./minute-window.ts";

const asks = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 40 })), { maxLength: 60 });

test("whoever waits as long as told stays under the limit in every minute", () => {
  fc.assert(
    fc.property(asks, (list) => {
      let now = 0;
      const window = new MinuteWindow(40, () => now);
      const taken: { at: number; amount: number }[] = [];
      for (const [pause, amount] of list) {
        now += pause;
        now += window.waitFor(amount);
        expect(window.waitFor(amount)).toBe(0);
        window.take(amount);
        taken.push({ at: now, amount });
      }
      for (const { at } of taken) {
        const inMinute = taken.filter((one) => one.at > at - 60_000 && one.at <= at);
        expect(inMinute.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(40);
      }
    }),
  );
});

test("waits for no longer than the room it needs", () => {
  let now = 0;
  const window = new MinuteWindow(10, () => now);
  window.take(6);
  now = 10_000;
  window.take(4);
  expect(window.waitFor(6)).toBe(50_000);
  expect(window.waitFor(7)).toBe(60_000);
  now = 60_000;
  expect(window.waitFor(6)).toBe(0);
});

test("what a call really took counts in the place of what was thought, also after its minute", () => {
  let now = 0;
  const window = new MinuteWindow(10, () => now);
  const call = window.take(10);
  expect(window.waitFor(1)).toBe(60_000);
  call.settle(3);
  expect(window.waitFor(7)).toBe(0);
  now = 61_000;
  expect(window.waitFor(10)).toBe(0);
  call.settle(9);
  expect(window.waitFor(10)).toBe(0);
});

test("a call that is larger than a minute goes out alone, and is not held for ever", () => {
  let now = 0;
  const window = new MinuteWindow(10, () => now);
  window.take(1);
  expect(window.waitFor(25)).toBe(60_000);
  now = 60_000;
  expect(window.waitFor(25)).toBe(0);
});
