import { Worker } from "node:worker_threads";
import { THREADS } from "./on-thread.ts";
import type { GateAnswer, GateTask } from "./publish-gate-worker.ts";

/** More than the largest set that is gated needs; past it the thread ends and not the server. */
const HEAP_MB = 3072;

interface Asked {
  resolve(report: Record<string, unknown>): void;
  reject(error: Error): void;
}

/** A thread that gates one set after the other: begun with the first and kept, as beginning takes longer than most sets. */
export class GateThread {
  #worker: Worker | null = null;
  #asked: Asked | null = null;

  /**
   * One set at a time: who asks waits for the answer before the next.
   *
   * @throws Error when the gate cannot read the set, or the thread ends over it
   */
  run(task: GateTask): Promise<Record<string, unknown>> {
    this.#worker ??= this.#begun();
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#worker?.postMessage(task);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #begun(): Worker {
    // Flags of the process, such as those of a test that reads sources, are not for the built thread.
    const worker = new Worker(new URL("publish-gate-worker.js", THREADS), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.unref();
    const gone = (error: Error) => {
      if (this.#worker === worker) this.#worker = null;
      this.#answered((asked) => asked.reject(error));
    };
    worker.on("error", gone);
    worker.on("exit", (code) => gone(new Error(`The thread of the gate ended with ${code} before it answered.`)));
    worker.on("message", (answer: GateAnswer) => {
      this.#answered((asked) => {
        if ("report" in answer) asked.resolve(answer.report);
        else asked.reject(new Error(answer.error));
      });
    });
    return worker;
  }

  #answered(how: (asked: Asked) => void): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked !== null) how(asked);
  }
}
