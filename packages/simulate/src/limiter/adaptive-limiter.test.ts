import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { AdaptiveLimiter } from "./adaptive-limiter.ts";

test("doubles until the first refusal, then grows by a twentieth, and is cut once in 15 s", () => {
  let now = 0;
  const limiter = new AdaptiveLimiter({ start: 20, most: 100, now: () => now });
  const limits = (
    [
      ["clean", 0],
      ["clean", 1],
      ["429", 2],
      ["429", 5],
      ["clean", 6],
      ["429", 20],
    ] as const
  ).map(([event, second]) => {
    now = second * 1000;
    if (event === "clean") limiter.round();
    else limiter.saw("limited");
    return limiter.limit;
  });
  expect(limits).toEqual([40, 80, 64, 64, 68, 54]);
});

test("the limit stays between 1 and the most, whatever comes", () => {
  const outcome = fc.constantFrom("ok", "limited", "broken", "round");
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, fc.nat(60_000)), { maxLength: 200 }), (events) => {
      let now = 0;
      const limiter = new AdaptiveLimiter({ start: 4, most: 9, now: () => now });
      for (const [what, ms] of events) {
        now += ms;
        if (what === "round") limiter.round();
        else limiter.saw(what as "ok");
        expect(limiter.limit).toBeGreaterThanOrEqual(1);
        expect(limiter.limit).toBeLessThanOrEqual(9);
      }
    }),
  );
});

describe("places", () => {
  test("are as many as the limit, and given in the order in which they were asked for", async () => {
    const limiter = new AdaptiveLimiter({ start: 2, most: 2 });
    const entered: number[] = [];
    const releases: (() => void)[] = [];
    const enter = async (n: number) => {
      releases.push(await limiter.acquire());
      entered.push(n);
    };
    const all = [1, 2, 3, 4].map(enter);
    await Promise.all(all.slice(0, 2));
    expect(entered).toEqual([1, 2]);
    releases[0]!();
    releases[0]!();
    await all[2];
    expect(entered).toEqual([1, 2, 3]);
    releases[1]!();
    await all[3];
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  test("one who leaves the queue gives up nobody's place", async () => {
    const limiter = new AdaptiveLimiter({ start: 1, most: 1 });
    const release = await limiter.acquire();
    const controller = new AbortController();
    const leaves = limiter.acquire(controller.signal);
    const stays = limiter.acquire();
    controller.abort(new Error("stopped"));
    await expect(leaves).rejects.toThrow("stopped");
    release();
    await expect(stays).resolves.toBeTypeOf("function");
    await expect(limiter.acquire(AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  });
});

test("a server that names a time is left alone until then", async () => {
  vi.useFakeTimers();
  try {
    const limiter = new AdaptiveLimiter({ now: () => Date.now() });
    limiter.saw("limited", 5000);
    let isIn = false;
    const entering = limiter.acquire().then(() => {
      isIn = true;
    });
    await vi.advanceTimersByTimeAsync(4990);
    expect(isIn).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    await entering;
  } finally {
    vi.useRealTimers();
  }
});

test("after eight broken calls in a row it is asked by one call at a time, until one succeeds", async () => {
  let now = 0;
  const limiter = new AdaptiveLimiter({ start: 20, now: () => now });
  for (let n = 0; n < 7; n++) limiter.saw("broken");
  // One that refuses for load is there.
  limiter.saw("limited");
  for (let n = 0; n < 7; n++) limiter.saw("broken");
  expect(limiter.downForMs).toBeNull();
  limiter.saw("broken");
  now = 600;
  expect(limiter.downForMs).toBe(600);
  const probe = await limiter.acquire();
  let others = 0;
  const waiting = [1, 2, 3].map(() => limiter.acquire().then(() => others++));
  await Promise.resolve();
  expect(others).toBe(0);
  limiter.saw("ok");
  probe();
  await Promise.all(waiting);
  expect([others, limiter.downForMs]).toEqual([3, null]);
});

describe("a minute", () => {
  test("takes so many calls, then so many more when it has passed, in their order", async () => {
    vi.useFakeTimers();
    try {
      const limiter = new AdaptiveLimiter({ now: () => Date.now() });
      limiter.allowPerMinute({ requests: 2 });
      const start = Date.now();
      const entered: [number, number][] = [];
      const all = [0, 1, 2, 3, 4].map(async (n) => {
        const release = await limiter.acquire();
        entered.push([n, Math.floor((Date.now() - start) / 60_000)]);
        release();
      });
      await vi.advanceTimersByTimeAsync(130_000);
      await Promise.all(all);
      expect(entered).toEqual([
        [0, 0],
        [1, 0],
        [2, 1],
        [3, 1],
        [4, 2],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("of tokens lets a small call through when a large one gives up, and counts what was really taken", async () => {
    const limiter = new AdaptiveLimiter({ now: () => 0 });
    limiter.allowPerMinute({ tokens: 100 });
    const first = await limiter.acquire(undefined, 60);
    const leave = new AbortController();
    const large = limiter.acquire(leave.signal, 90);
    const small = limiter.acquire(undefined, 40);
    leave.abort(new Error("gone"));
    await expect(large).rejects.toThrow("gone");
    (await small)(40);
    const next = limiter.acquire(undefined, 50);
    first(10);
    (await next)();
  });
});
