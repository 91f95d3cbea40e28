import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Built pages lie in the server's own package; in the workspace, those that were built last lie beside it. */
const PLACES = import.meta.url.endsWith(".ts") ? ["../../../web/dist"] : ["../pages", "../../../web/dist"];

/** Folder of the built pages: the first that holds some, else the one where they would be. */
export function pagesFolder(): string {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(`${folder}/index.html`)) ?? (folders[0] as string);
}
