import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

/** Version of this server, from its manifest. */
export const VERSION: string = manifest.version;
