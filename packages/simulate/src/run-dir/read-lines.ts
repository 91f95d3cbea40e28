import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { isObject } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";

/**
 * The objects of a JSONL file, one by one; nothing for a file that is not there.
 *
 * @throws SimulateError `bad_run_directory` with the line
 */
export async function* readLines(path: string): AsyncGenerator<Record<string, unknown>> {
  if ((await stat(path).catch(() => null)) === null) return;
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY });
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      const fix = "Take the line out, and the run goes on without it.";
      throw new SimulateError("bad_run_directory", `${path}, line ${line}, is no JSON.`, fix, { cause });
    }
    if (isObject(value)) yield value;
  }
}
