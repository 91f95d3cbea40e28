import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Letter, Spool } from "../runs/outbox.ts";
import { readPrivateJson, writePrivateJson } from "./private-json.ts";

/** A name that sorts by the order in which letters were kept, of this process and of later ones. */
const ORDER_DIGITS = 16;

/**
 * Calls that wait for a platform, one file each, in the order they were made. A file is gone once its call was taken;
 * one that was taken and not yet removed is sent again under the same key, and counts once.
 */
export function fileSpool(dir: string, now: () => number = Date.now): Spool {
  let last = 0;
  /** Files by the key of their letter, as far as this process has seen them. */
  const files = new Map<string, string>();
  const nameOf = (letter: Letter) => {
    last = Math.max(last + 1, Math.round(now() * 1000));
    return `${String(last).padStart(ORDER_DIGITS, "0")}-${letter.idempotencyKey}.json`;
  };
  const isLetter = (name: string) => /^\d+-[0-9a-f-]{36}\.json$/.test(name);
  const names = async () => {
    try {
      return (await readdir(dir)).filter(isLetter).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  };
  return {
    async keep(origin, letter) {
      const name = nameOf(letter);
      files.set(letter.idempotencyKey, name);
      await writePrivateJson(join(dir, name), { origin, ...letter });
    },
    async drop(letter) {
      const name = files.get(letter.idempotencyKey);
      if (name === undefined) return;
      await rm(join(dir, name), { force: true });
      files.delete(letter.idempotencyKey);
    },
    async left(origin) {
      const letters: Letter[] = [];
      for (const name of await names()) {
        const kept = await readPrivateJson(join(dir, name));
        if (kept?.origin !== origin) continue;
        const { origin: _, ...rest } = kept;
        const letter = rest as unknown as Letter;
        files.set(letter.idempotencyKey, name);
        letters.push(letter);
      }
      return letters;
    },
  };
}
