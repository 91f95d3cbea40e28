import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ExportError } from "../export-error.ts";

/**
 * Refuses a target that is one of the files read, by whatever name: a link, a relative path, another case on a disk
 * that does not tell them apart.
 *
 * @throws ExportError `source_overwrite`
 */
export async function refuseOverwrite(target: string, sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    if (!(await isSameFile(target, source))) continue;
    throw new ExportError(
      "source_overwrite",
      `${target} is ${source === target ? "a file" : `the file ${source}`} that the export reads.`,
      "Give another output.",
      { data: { target, source } },
    );
  }
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  if ((await realPath(a)) === (await realPath(b))) return true;
  const [one, other] = await Promise.all([found(a), found(b)]);
  return one !== null && other !== null && one.dev === other.dev && one.ino === other.ino;
}

/** The path with links resolved; of a file that does not exist yet, that of its folder. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(resolve(path));
    return folder === resolve(path) ? folder : join(await realPath(folder), basename(path));
  }
}

async function found(path: string): Promise<{ dev: bigint; ino: bigint } | null> {
  return stat(path, { bigint: true }).catch(() => null);
}
