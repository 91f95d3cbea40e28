import { readFileSync } from "node:fs";

/** The version in this package's manifest; the same path from `src` and from `dist`. */
export function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
