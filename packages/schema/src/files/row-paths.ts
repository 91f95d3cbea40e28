import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { NoRows } from "../readers/read-report.ts";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { besideName } from "./beside-file.ts";
import { openError, STDIN } from "./byte-chunks.ts";
import { isSidecar } from "./sidecar.ts";
import { whyNoRows } from "./why-no-rows.ts";

/** The file in which a run keeps its rows. */
const ROWS_FILES = ["rows.jsonl", "rows.jsonl.gz"];

/** A run of tau2-bench: what holds for all simulations, and a folder with a file for each. */
const RESULTS_FILE = "results.json";
const SIMULATIONS_FOLDER = "simulations";

/** Files that a sentence names before it counts the rest. */
const NAMED_FILES = 5;

/** What the paths of a call come to. */
export interface RowFiles {
  files: string[];
  /** Files of folders that give no rows. */
  noRows: NoRows[];
  /** For each folder with files that nobody would expect to be left out, the sentence that says so. */
  notes: string[];
}

/**
 * Files to read for the paths given. A file is itself. A folder is all files in it and in its folders that hold rows, in
 * any of the formats, in the order of their names; what holds none (texts, pictures, settings) is left out and listed.
 * Hidden files are not looked at. A folder saved by a run is its `rows.jsonl` alone, and a folder of tau2-bench its
 * `results.json`, whose simulations are read along.
 *
 * @throws SchemaError `not_found`, `bad_file` for a folder without rows and for a sidecar, `bad_option` for no path
 */
export async function rowPaths(paths: readonly string[]): Promise<string[]> {
  return (await rowFiles(paths)).files;
}

/** The same, with what was left out. `isNamed` says that a format was named, so that no file's own is looked for. */
export async function rowFiles(
  paths: readonly string[],
  { isNamed = false }: { isNamed?: boolean } = {},
): Promise<RowFiles> {
  if (paths.length === 0) throw new SchemaError("bad_option", "No file was given.", 'Give a path, or "-" for stdin.');
  const found: RowFiles = { files: [], noRows: [], notes: [] };
  for (const path of paths) {
    if (path === STDIN && found.files.includes(STDIN)) {
      throw new SchemaError("bad_option", "Standard input is named twice.", "Name - once: it can be read once.");
    }
    if (path === STDIN) found.files.push(path);
    else await addPath(path, isNamed, found);
  }
  return found;
}

async function addPath(path: string, isNamed: boolean, found: RowFiles): Promise<void> {
  const there = await stat(path).catch(async (error) => {
    throw await openError(path, error);
  });
  if (!there.isDirectory()) {
    if (isSidecar(path)) {
      throw new SchemaError(
        "bad_file",
        `${path} describes rows and holds none.`,
        "Give the .jsonl file beside it; this one is read along.",
        { place: { file: path } },
      );
    }
    found.files.push(path);
    return;
  }
  const walk: Walk = { files: [], noRows: [], seen: new Set(), isNamed };
  await walkFolder(path, walk);
  if (walk.files.length === 0) throw withoutRows(path, walk.noRows);
  found.files.push(...walk.files);
  found.noRows.push(...walk.noRows);
  const told = walk.noRows.filter(({ why }) => !EXPECTED.has(why));
  if (told.length === 0) return;
  const files = told.length === 1 ? "1 file gives" : `${told.length} files give`;
  found.notes.push(`${path}: ${files} no rows: ${listed(path, told)}.`);
}

interface Walk {
  files: string[];
  noRows: NoRows[];
  /** Folders by their real path: a link may lead back up. */
  seen: Set<string>;
  isNamed: boolean;
}

const HIDDEN = "is hidden";
const DESCRIBES = "describes the rows beside it";
/** What lies there on purpose, and is listed without a word about it. */
const EXPECTED: ReadonlySet<string> = new Set([HIDDEN, DESCRIBES]);

async function walkFolder(folder: string, walk: Walk): Promise<void> {
  const real = await realpath(folder);
  if (walk.seen.has(real)) return;
  walk.seen.add(real);
  const names = (await readdir(folder)).sort(compareCodePoints);
  const rows = ROWS_FILES.find((name) => names.includes(name));
  if (rows !== undefined) {
    walk.files.push(join(folder, rows));
    return;
  }
  if (names.includes(RESULTS_FILE) && names.includes(SIMULATIONS_FOLDER)) {
    walk.files.push(join(folder, RESULTS_FILE));
    return;
  }
  const beside = new Set(names.map(besideName));
  for (const name of names) {
    const path = join(folder, name);
    if (name.startsWith(".")) walk.noRows.push({ path, why: HIDDEN });
    else if (isSidecar(name) || beside.has(name)) walk.noRows.push({ path, why: DESCRIBES });
    else await addEntry(path, walk);
  }
}

async function addEntry(path: string, walk: Walk): Promise<void> {
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ELOOP") return null;
    throw error;
  });
  if (there === null) walk.noRows.push({ path, why: "is a link to nothing" });
  else if (there.isDirectory()) await walkFolder(path, walk);
  else if (!there.isFile()) walk.noRows.push({ path, why: "is no file" });
  else {
    const why = await whyNoRows(path, { isNamed: walk.isNamed });
    if (why === null) walk.files.push(path);
    else walk.noRows.push({ path, why });
  }
}

function withoutRows(path: string, noRows: readonly NoRows[]): SchemaError {
  const why = noRows.length === 0 ? "it is empty" : listed(path, noRows);
  return new SchemaError(
    "bad_file",
    `${path} is a folder without rows: ${why}.`,
    "Give the files themselves, or the folder a run was saved in.",
    { place: { file: path } },
  );
}

function listed(folder: string, noRows: readonly NoRows[]): string {
  const shown = noRows
    .slice(0, NAMED_FILES)
    .map(({ path, why }) => `${relative(folder, path)} ${why.split(/[:,]/)[0]}`);
  const more = noRows.length > NAMED_FILES ? ` and ${noRows.length - NAMED_FILES} more` : "";
  return `${shown.join(", ")}${more}`;
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
