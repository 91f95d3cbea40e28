import { fileURLToPath } from "node:url";

/** Folder of the built pages, in the server's own package: the build of the pages writes them there. */
export function pagesFolder(): string {
  return fileURLToPath(new URL("../../pages", import.meta.url));
}
