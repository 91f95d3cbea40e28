import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { openError, STDIN } from "./byte-chunks.ts";
import { isSidecar } from "./sidecar.ts";

/** The file in which a run keeps its rows. */
const ROWS_FILES = ["rows.jsonl", "rows.jsonl.gz"];

/** A run of tau2-bench: what holds for all simulations, and a folder with a file for each. */
const RESULTS_FILE = "results.json";
const SIMULATIONS_FOLDER = "simulations";

/**
 * Files to read for the paths given: a file is itself, a folder saved by a run is its `rows.jsonl`, or else every
 * `.jsonl` in it, in the order of their names; a folder of tau2-bench is its `results.json`, whose simulations are read
 * along.
 *
 * @throws SchemaError `not_found`, `bad_file` for a folder without rows and for a sidecar, `bad_option` for no path
 */
export async function rowPaths(paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) throw new SchemaError("bad_option", "No file was given.", 'Give a path, or "-" for stdin.');
  const files: string[] = [];
  for (const path of paths) {
    if (path === STDIN) files.push(path);
    else files.push(...(await filesOf(path)));
  }
  return files;
}

async function filesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch(async (error) => {
    throw await openError(path, error);
  });
  if (!found.isDirectory()) {
    if (!isSidecar(path)) return [path];
    throw new SchemaError(
      "bad_file",
      `${path} describes rows and holds none.`,
      "Give the .jsonl file beside it; this one is read along.",
      { place: { file: path } },
    );
  }
  const names = await readdir(path);
  const rows = ROWS_FILES.find((name) => names.includes(name));
  if (rows === undefined && names.includes(RESULTS_FILE) && names.includes(SIMULATIONS_FOLDER)) {
    return [join(path, RESULTS_FILE)];
  }
  const chosen = rows === undefined ? names.filter((name) => /\.jsonl(\.gz)?$/.test(name)) : [rows];
  if (chosen.length === 0) {
    throw new SchemaError(
      "bad_file",
      `${path} is a folder without rows.jsonl or another .jsonl file.`,
      "Give the files themselves, or the folder a run was saved in.",
      { place: { file: path } },
    );
  }
  return chosen.sort(compareCodePoints).map((name) => join(path, name));
}

/** The simulations that lie in files of their own beside the results of tau2-bench; none for any other file. */
export async function simulationPaths(path: string): Promise<string[]> {
  if (basename(path) !== RESULTS_FILE) return [];
  const folder = join(dirname(path), SIMULATIONS_FOLDER);
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(".json"))
      .sort(compareCodePoints)
      .map((name) => join(folder, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
