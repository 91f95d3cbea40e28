import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isObject } from "@while/schema";
import { PlatformError } from "../platform-error.ts";

/** A JSON object of a file; null where there is none. */
export async function readPrivateJson(path: string): Promise<Record<string, unknown> | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw unreadable(path);
}

function unreadable(path: string, cause?: unknown): PlatformError {
  return new PlatformError("bad_file", `${path} is no JSON object.`, "Delete it, and sign in again with wai login.", {
    cause,
  });
}

/** Writes a file that only its owner may read: whole or not at all, and on the disk when it returns. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.tmp`;
  const file = await open(unfinished, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.sync();
    await file.close();
    await rename(unfinished, path);
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw error;
  }
}
