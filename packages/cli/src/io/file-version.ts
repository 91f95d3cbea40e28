import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { sha256Hex } from "@while/schema";

/** A version that changes with a file's content (and not with what a module in it imports): `judge.mjs@1f0c…`. */
export async function fileVersion(path: string): Promise<string> {
  return `${basename(path)}@${sha256Hex(await readFile(path)).slice(0, 12)}`;
}
