import { inspectWriter } from "./inspect.ts";
import { openaiWriter } from "./openai.ts";
import type { RowsWriter } from "./rows-writer.ts";
import { tauBenchWriter } from "./tau-bench.ts";

/** Every format that rows are written in, by name. */
export const WRITERS: readonly RowsWriter[] = [inspectWriter, openaiWriter, tauBenchWriter];
