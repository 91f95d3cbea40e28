import { expect, test, vi } from "vitest";
import { RolloutClock } from "./rollout-clock.ts";

test("time that is waited does not count, also when waits overlap", async () => {
  vi.useFakeTimers();
  try {
    let hasEnded = false;
    const clock = new RolloutClock(100, () => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(60);
    const sleep = (ms: number) => clock.whileStopped(() => new Promise<void>((resolve) => setTimeout(resolve, ms)));
    void sleep(500);
    void sleep(900);
    await vi.advanceTimersByTimeAsync(900);
    expect(hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(39);
    expect(hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(hasEnded).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("one that was stopped ends nothing, whatever was waited for", async () => {
  vi.useFakeTimers();
  try {
    const clock = new RolloutClock(10, () => expect.unreachable());
    const waiting = clock.whileStopped(() => new Promise<void>((resolve) => setTimeout(resolve, 50)));
    clock.stop();
    await vi.advanceTimersByTimeAsync(200);
    await waiting;
  } finally {
    vi.useRealTimers();
  }
});
