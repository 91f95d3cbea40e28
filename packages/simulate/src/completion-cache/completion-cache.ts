import { mkdirSync } from "node:fs";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkOptions, isObject } from "@while/schema";
import type { ModelAnswer } from "../agent/model.ts";
import type { CompletionCache } from "../endpoint/completion-cache.ts";
import { SimulateError } from "../simulate-error.ts";

export interface CompletionCacheOptions {
  /** Calls nobody: a call that has no answer here ends the run. */
  replayOnly?: boolean;
  /** Answers of this age and older are asked for again; in milliseconds. With 0, all are. */
  maxAgeMs?: number;
}

/**
 * A folder of answers, one file each, named by the hash of all that was asked and of the rollout and the call that asked
 * it (`completionKey`): a run that is carried out again, or goes on after a kill, has the answers it had, and repeats of
 * a prompt never share one. No file holds a key.
 *
 * @throws SimulateError `bad_option`; `bad_run_directory` when the folder cannot be made
 */
export function completionCache(folder: string, options: CompletionCacheOptions = {}): CompletionCache {
  checkOptions(options, ["replayOnly", "maxAgeMs"], (what, fix) => new SimulateError("bad_option", what, fix));
  const { replayOnly = false, maxAgeMs = Number.POSITIVE_INFINITY } = options;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SimulateError("bad_run_directory", `${folder} cannot be made (${code}).`, "Name a folder that can.", {
      cause,
    });
  }
  const made = new Set<string>();
  let nWritten = 0;
  const homeOf = (key: string): string => join(folder, key.slice(0, 2));
  return {
    replayOnly,

    async get(key) {
      const path = join(homeOf(key), `${key}.json`);
      try {
        if (maxAgeMs < Number.POSITIVE_INFINITY) {
          // The clock of the disk may be a part of a millisecond ahead of ours: what is from later is new, not younger
          // than new, so that an age of 0 takes no answer at all.
          const ageMs = Math.max(0, Date.now() - (await stat(path)).mtimeMs);
          if (ageMs >= maxAgeMs) return null;
        }
        const answer: unknown = JSON.parse(await readFile(path, "utf8"));
        return isObject(answer) && typeof answer.text === "string" ? (answer as unknown as ModelAnswer) : null;
      } catch (error) {
        // One that was torn by the end of the machine is asked for again.
        if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },

    async set(key, answer) {
      const home = homeOf(key);
      if (!made.has(home)) mkdirSync(home, { recursive: true, mode: 0o700 });
      made.add(home);
      const temporary = join(home, `${key}.${process.pid}.${nWritten++}.tmp`);
      await writeFile(temporary, JSON.stringify(answer), { mode: 0o600 });
      await rename(temporary, join(home, `${key}.json`));
    },
  };
}
