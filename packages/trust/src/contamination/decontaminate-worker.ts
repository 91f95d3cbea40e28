import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type BlockFindings, BlockMatcher } from "./block-matcher.ts";
import type { EvalIndex, TextIndex } from "./eval-index.ts";
import type { Settings } from "./options.ts";
import type { RelatedReading } from "./row-matcher.ts";

const KIND = "while-decontaminate";

/** What a worker is started with. The index's arrays are shared memory, the rest of it is copied. */
export interface WorkerSetup {
  kind: typeof KIND;
  index: EvalIndex;
  settings: Settings;
  related: RelatedReading;
  ignored: Uint8Array | null;
}

/** A block on its way back, with what was found in it. */
export interface MatchedBlock {
  block: Uint8Array<ArrayBuffer>;
  findings: BlockFindings;
}

export type WorkerReply = MatchedBlock | { error: unknown };

/** A thread of this very file, which serves blocks when it is started as one. */
export function startWorker(setup: Omit<WorkerSetup, "kind">): Worker {
  // Node 20 runs no TypeScript in a worker: from source, the built file next door is started.
  const own = import.meta.url;
  const url = new URL(own.endsWith(".ts") ? "../../dist/contamination/decontaminate-worker.js" : own, own);
  const data: WorkerSetup = { kind: KIND, ...setup, index: sharedIndex(setup.index) };
  // Without the flags of this process: conditions and loaders of source files are not for built ones.
  return new Worker(url, { workerData: data, execArgv: [] });
}

/** The same index in memory that all threads read. */
function sharedIndex(index: EvalIndex): EvalIndex {
  const { numberless } = index;
  return { ...index, ...sharedTexts(index), numberless: numberless === null ? null : sharedTexts(numberless) };
}

function sharedTexts({ vocabulary, texts, textAt, grams }: TextIndex): TextIndex {
  return {
    vocabulary: { chars: shared(vocabulary.chars), starts: shared(vocabulary.starts), slots: shared(vocabulary.slots) },
    texts: { tokens: shared(texts.tokens), starts: shared(texts.starts) },
    textAt: shared(textAt),
    grams: {
      n: grams.n,
      ...{ slots: shared(grams.slots), hashes: shared(grams.hashes) },
      ...{ starts: shared(grams.starts), places: shared(grams.places) },
    },
  };
}

function shared<T extends Uint16Array | Uint32Array | Int32Array>(array: T): T {
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

function serve({ index, settings, related, ignored }: WorkerSetup, port: NonNullable<typeof parentPort>): void {
  const matcher = new BlockMatcher(index, settings, related);
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
