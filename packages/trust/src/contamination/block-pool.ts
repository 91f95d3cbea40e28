import type { Worker } from "node:worker_threads";
import type { MatchedBlock, WorkerReply } from "./decontaminate-worker.ts";

/** Blocks that a worker has before it answers the first: one to work at, one that waits. */
const IN_FLIGHT = 2;

/**
 * Hands blocks to workers and gives them back matched, in their own order, whoever was done first. No more blocks are
 * in memory than the workers have.
 */
export async function* matchedInOrder(
  blocks: AsyncIterator<Uint8Array<ArrayBuffer>>,
  workers: readonly Worker[],
): AsyncGenerator<MatchedBlock> {
  const waiting: { resolve: (block: MatchedBlock) => void; reject: (error: unknown) => void }[][] = workers.map(
    () => [],
  );
  const fail = (worker: number, error: unknown): void => {
    for (const { reject } of waiting[worker]!.splice(0)) reject(error);
  };
  for (const [i, worker] of workers.entries()) {
    worker.on("message", (reply: WorkerReply) => {
      const { resolve, reject } = waiting[i]!.shift()!;
      if ("error" in reply) reject(reply.error);
      else resolve(reply);
    });
    worker.on("error", (error) => fail(i, error));
    worker.on("exit", (code) => fail(i, new Error(`A worker ended with code ${code}.`)));
  }
  const results: Promise<MatchedBlock>[] = [];
  let isOver = false;
  let sent = 0;
  try {
    for (;;) {
      while (!isOver && results.length < IN_FLIGHT * workers.length) {
        const next = await blocks.next();
        if (next.done) {
          isOver = true;
          break;
        }
        const turn = sent++ % workers.length;
        const result = new Promise<MatchedBlock>((resolve, reject) => waiting[turn]!.push({ resolve, reject }));
        // Whatever goes wrong is thrown when its turn comes.
        result.catch(() => {});
        workers[turn]!.postMessage(next.value, [next.value.buffer]);
        results.push(result);
      }
      const first = results.shift();
      if (first === undefined) return;
      yield await first;
    }
  } finally {
    await blocks.return?.(undefined);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
