import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BesideFile } from "../readers/file-rows.ts";

/** Files of rollouts by their names, and the file of the same run that names the model and the settings. */
const BESIDE: readonly (readonly [rollouts: RegExp, beside: string])[] = [
  // verifiers
  [/^results\.jsonl(?:\.gz)?$/, "metadata.json"],
  // lm-evaluation-harness
  [/^samples_.+_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl(?:\.gz)?$/, "results_$1.json"],
];

/** What the file would be called that says more of all rows of a file; null where no tool writes one. */
export function besideName(name: string): string | null {
  const known = BESIDE.find(([rollouts]) => rollouts.test(name));
  return known === undefined ? null : name.replace(...known);
}

/** The file that says more of all rows of a file; null when there is none. */
export async function readBeside(path: string): Promise<BesideFile | null> {
  const name = besideName(basename(path));
  if (name === null) return null;
  const beside = join(dirname(path), name);
  try {
    return { path: beside, text: await readFile(beside, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw error;
  }
}
