import fc from "fast-check";
import { expect, test } from "vitest";
import { SpendingLimit } from "./spending-limit.ts";

test("a call that the rest does not allow for is not made", async () => {
  const limit = new SpendingLimit(1);
  const release = await limit.hold(0.6);
  limit.add(0.5);
  release?.();
  expect(await limit.hold(0.6)).toBeNull();
  expect(await limit.hold(0.5)).toBeTypeOf("function");
});

test("a call waits for those under way, which mostly cost less than they could", async () => {
  const limit = new SpendingLimit(1);
  const first = await limit.hold(0.9);
  let isIn = false;
  const second = limit.hold(0.5).then((release) => {
    isIn = release !== null;
  });
  await Promise.resolve();
  expect(isIn).toBe(false);
  limit.add(0.1);
  first?.();
  first?.();
  await second;
  expect(isIn).toBe(true);
});

test("the limit is never exceeded, whatever calls could cost and do cost", async () => {
  const call = fc.record({
    most: fc.double({ min: 0, max: 2, noNaN: true }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 60 }), async (calls) => {
      const limit = new SpendingLimit(3);
      let spent = 0;
      await Promise.all(
        calls.map(async ({ most, share }) => {
          const release = await limit.hold(most);
          if (release === null) return;
          await new Promise((resolve) => setImmediate(resolve));
          spent += most * share;
          limit.add(most * share);
          release();
        }),
      );
      expect(spent).toBeLessThanOrEqual(3 + 1e-9);
    }),
  );
});
