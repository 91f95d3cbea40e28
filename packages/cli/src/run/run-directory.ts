import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { onInterrupt } from "../io/on-interrupt.ts";

/** The file that every folder of a run has. */
export const RUN_FILE = "run.json";

export interface RunDirectoryOptions {
  /** Files that are read: a folder that holds one of them is not replaced. */
  inputs: readonly string[];
  /** Replace a folder that a run wrote. */
  force: boolean;
}

/**
 * Fills a folder that appears complete or not at all: `fill` gets a temporary one beside it, which takes the name
 * when it is done.
 *
 * @throws CliError `directory_exists`, `same_file`
 */
export async function writeRunDirectory<Result>(
  directory: string,
  { inputs, force }: RunDirectoryOptions,
  fill: (temporary: string) => Promise<Result>,
): Promise<Result> {
  checkTarget(directory, inputs, force);
  const target = resolve(directory);
  mkdirSync(dirname(target), { recursive: true });
  let temporary: string | undefined;
  const discard = (): void => {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  };
  return await onInterrupt(async () => {
    try {
      // Made when somebody already listens for the signal that would leave it behind.
      temporary = mkdtempSync(join(dirname(target), `.${basename(target)}.`));
      // A temporary folder is its maker's alone; this one becomes an ordinary one.
      chmodSync(temporary, 0o777 & ~process.umask());
      const result = await fill(temporary);
      takeName(temporary, target);
      return result;
    } finally {
      discard();
    }
  }, discard);
}

function checkTarget(directory: string, inputs: readonly string[], force: boolean): void {
  if (!existsSync(directory)) return;
  const ofRun = existsSync(join(directory, RUN_FILE));
  if (!force || !ofRun) {
    throw new CliError(
      "directory_exists",
      `${directory} exists${ofRun ? ", written by an earlier run" : " and was not written by a run"}.`,
      ofRun ? "Pass --force to replace it, or name another folder." : "Name a folder that does not exist yet.",
    );
  }
  const held = inputs.find((input) => existsSync(input) && isInside(realpathSync(input), realpathSync(directory)));
  if (held === undefined) return;
  throw new CliError("same_file", `${held} lies in ${directory}, which would be replaced.`, "Name another folder.");
}

function isInside(file: string, directory: string): boolean {
  const path = relative(directory, file);
  return path !== "" ? !path.startsWith("..") : true;
}

/** An old folder steps aside first and is removed last, so that one of the two is there at every moment. */
function takeName(temporary: string, target: string): void {
  if (!existsSync(target)) {
    renameSync(temporary, target);
    return;
  }
  const aside = mkdtempSync(join(dirname(target), `.${basename(target)}.`));
  const old = join(aside, basename(target));
  renameSync(target, old);
  renameSync(temporary, target);
  rmSync(aside, { recursive: true, force: true });
}
