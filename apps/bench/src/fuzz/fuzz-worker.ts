import { closeSync, openSync, writeSync } from "node:fs";
import { peakRssMb } from "../peak-rss.ts";
import { makeInput } from "./make-input.ts";
import { type Outcome, readInput } from "./read-input.ts";
import { sourceFiles } from "./source-files.ts";

/** Which inputs a worker reads: every `step`th from `from` on. */
export interface FuzzTask {
  seed: number;
  from: number;
  to: number;
  step: number;
  folder: string;
  /** Where the worker keeps the number of the input it reads, for whoever finds it hanging or gone. */
  progress: string;
}

/** What a worker says: a bug, and now and then how far it is. */
export type FuzzMessage =
  | { kind: "fault"; index: number; what: string }
  | { kind: "counts"; read: number; counts: Record<string, number>; peakMb: number };

/** More than that of the processor's time is a hang: the machine may have other work. */
const MAX_MS = 1000;

const MAX_RSS_BYTES = 2 ** 30;

/** Inputs between two reports. */
const REPORTED = 500;

// Half of all inputs end in an error, and of a fault the first lines tell enough.
Error.stackTraceLimit = 4;

await work(JSON.parse(process.argv[2]!) as FuzzTask);

async function work({ seed, from, to, step, folder, progress }: FuzzTask): Promise<void> {
  const files = await sourceFiles();
  const place = openSync(progress, "w");
  let counts: Record<string, number> = {};
  let read = 0;
  for (let index = from; index < to; index += step) {
    writeSync(place, `${index}`.padEnd(16), 0);
    const { kind, what } = await timed(() => readInput(makeInput(seed, index, files), folder));
    const counted = kind === "refused" ? what : kind;
    counts[counted] = (counts[counted] ?? 0) + 1;
    if (kind === "fault") say({ kind: "fault", index, what });
    if (++read < REPORTED) continue;
    say({ kind: "counts", read, counts, peakMb: peakRssMb() });
    counts = {};
    read = 0;
  }
  say({ kind: "counts", read, counts, peakMb: peakRssMb() });
  closeSync(place);
  process.disconnect();
}

/** The outcome, or that it took too long or too much. Only what is slow three times is: now and then memory is tidied up. */
async function timed(run: () => Promise<Outcome>): Promise<Outcome> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    const outcome = await run();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1000);
    const rss = process.memoryUsage.rss();
    if (rss > MAX_RSS_BYTES) return { kind: "fault", what: `memory is at ${Math.round(rss / 2 ** 20)} MB` };
    if (fastest <= MAX_MS) return outcome;
  }
  return { kind: "fault", what: `took ${Math.round(fastest)} ms, three times` };
}

function say(message: FuzzMessage): void {
  process.send!(message);
}
