import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the files of one test file; gone when its tests are. */
export function testFolder(): {
  path: (name: string) => string;
  write: (name: string, content: string | Uint8Array) => string;
} {
  const folder = mkdtempSync(join(tmpdir(), "while-schema-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}
