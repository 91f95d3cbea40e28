import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PlatformError } from "../platform-error.ts";
import { type Letter, Outbox, type Spool } from "./outbox.ts";

const letter = (n: number): Letter => ({
  ...{ method: "POST", path: `/${n}`, body: {}, points: 1 },
  idempotencyKey: `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`,
});
const away = () => new PlatformError("unreachable", "Away.", "Wait.", { status: 0 });

/** A promise, and what settles it. */
function open<T = void>() {
  let settle!: { resolve: (value: T) => void; reject: (reason: unknown) => void };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

/** A disk that writes when it is told to, and forgets the name of a file once it was dropped. */
function slowSpool() {
  const files = new Set<string>();
  const named = new Set<string>();
  const writing: (() => void)[] = [];
  const spool: Spool = {
    keep: (_, { path }) => {
      named.add(path);
      return new Promise<void>((resolve) =>
        writing.push(() => {
          files.add(path);
          resolve();
        }),
      );
    },
    drop: async ({ path }) => {
      if (named.delete(path)) files.delete(path);
    },
    left: async () => [],
  };
  return { files, writing, spool };
}

/** Everything that can happen without time or the disk has happened. */
const calm = async () => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

const options = { origin: "http://h", warn: () => {} };

test("a letter that is posted at any moment of a round's end is sent", async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    const sent: string[] = [];
    const outbox: Outbox = new Outbox({
      ...options,
      send: async ({ path }) => {
        sent.push(path);
        if (path !== "/1") return;
        void (async () => {
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          outbox.post(letter(2));
        })();
      },
    });
    outbox.post(letter(1));
    await calm();
    expect([turns, sent]).toEqual([turns, ["/1", "/2"]]);
  }
});

test("a letter that is sent while it is being written leaves no file", async () => {
  const { files, writing, spool } = slowSpool();
  const sending = open();
  const outbox = new Outbox({ ...options, spool, send: () => sending.promise });
  outbox.post(letter(1));
  const closing = outbox.close(0);
  await vi.waitFor(() => expect(writing).toHaveLength(1), 30_000);
  sending.resolve();
  await calm();
  writing[0]!();
  expect(await closing).toEqual({ unsent: 0 });
  await calm();
  expect([...files]).toEqual([]);
});

test("who holds a letter or closes waits for what somebody else is writing", async () => {
  const { files, writing, spool } = slowSpool();
  const outbox = new Outbox({ ...options, spool, send: () => Promise.reject(away()) });
  outbox.post(letter(1));
  await vi.waitFor(() => expect(writing).toHaveLength(1), 30_000);
  let isClosed = false;
  const closing = outbox.close(0).then((end) => {
    isClosed = true;
    return end;
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isClosed).toBe(false);
  writing[0]!();
  expect(await closing).toEqual({ unsent: 1 });
  expect([...files]).toEqual(["/1"]);
});

describe("what is tried again by itself", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is what waits, after a pause", async () => {
    let calls = 0;
    const outbox = new Outbox({ ...options, send: async () => Promise.reject(++calls < 3 ? away() : new Error("no")) });
    outbox.post(letter(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([calls, outbox.waiting]).toEqual([3, 0]);
  });

  test("is nothing once it is closed, not even what was under way then", async () => {
    let calls = 0;
    const sending = open<never>();
    const outbox = new Outbox({
      ...options,
      send: () => {
        calls += 1;
        return sending.promise;
      },
    });
    outbox.post(letter(1));
    const closing = outbox.close(100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await closing).toEqual({ unsent: 1 });
    sending.reject(away());
    await vi.advanceTimersByTimeAsync(600_000);
    expect([calls, outbox.waiting, outbox.errors]).toEqual([1, 1, 1]);
  });
});
