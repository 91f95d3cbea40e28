import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type BlockFindings, BlockMatcher } from "./block-matcher.ts";
import type { EvalIndex } from "./eval-index.ts";
import type { Settings } from "./options.ts";
import type { MatcherSetup } from "./row-matcher.ts";

const KIND = "while-decontaminate";

/** What a worker is started with. Its arrays are memory that all threads read, the rest of it is copied. */
export interface WorkerSetup {
  kind: typeof KIND;
  index: EvalIndex;
  settings: Settings;
  setup: MatcherSetup;
  ignored: Uint8Array | null;
}

/** A block on its way back, with what was found in it. */
export interface MatchedBlock {
  block: Uint8Array<ArrayBuffer>;
  findings: BlockFindings;
}

export type WorkerReply = MatchedBlock | { error: unknown };

/** Threads of this very file, which serves blocks when it is started as one. */
export function startWorkers(count: number, setup: Omit<WorkerSetup, "kind">): Worker[] {
  // Node 20 runs no TypeScript in a worker: from source, the built file next door is started.
  const own = import.meta.url;
  const url = new URL(own.endsWith(".ts") ? "../../dist/contamination/decontaminate-worker.js" : own, own);
  const data: WorkerSetup = { kind: KIND, ...withSharedArrays(setup) };
  // Without the flags of this process: conditions and loaders of source files are not for built ones.
  return Array.from({ length: count }, () => new Worker(url, { workerData: data, execArgv: [] }));
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The same data with every typed array of it, however deep, in memory that all threads read. */
function withSharedArrays<T>(value: T): T {
  if (ArrayBuffer.isView(value)) return sharedArray(value as unknown as Numbers) as unknown as T;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withSharedArrays(part)])) as T;
}

function sharedArray<T extends Numbers>(array: T): T {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}

const setup: unknown = isMainThread ? null : workerData;
if (isSetup(setup) && parentPort !== null) serve(setup, parentPort);

function isSetup(value: unknown): value is WorkerSetup {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === KIND;
}

function serve({ index, settings, setup: ready, ignored }: WorkerSetup, port: NonNullable<typeof parentPort>): void {
  const matcher = new BlockMatcher(index, settings, ready);
  matcher.rows.ignore(ignored);
  port.on("message", (block: Uint8Array<ArrayBuffer>) => {
    let reply: WorkerReply;
    try {
      reply = { block, findings: matcher.match(block) };
    } catch (error) {
      reply = { error };
    }
    port.postMessage(reply, "block" in reply ? [block.buffer] : []);
  });
}
