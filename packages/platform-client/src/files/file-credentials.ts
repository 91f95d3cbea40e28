import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "@while/schema";
import { DEFAULT_API_URL } from "../settings.ts";
import type { CredentialStore, PendingLogin, SavedLogin } from "../sign-in/credentials.ts";
import { readPrivateJson, writePrivateJson } from "./private-json.ts";

/** Addresses that an older client wrote for the public platform. */
const OLDER_HOSTS: ReadonlySet<string> = new Set(["https://api.zeroproofai.com"]);

/**
 * Logins in `credentials.json` of a folder, one for each platform. The last one stands at the top as well, where the
 * Python client reads it; the file is for its owner alone.
 */
export function fileCredentials(dir: string): CredentialStore {
  const file = join(dir, "credentials.json");
  const pendingFile = join(dir, "pending-login.json");
  return {
    async read(origin) {
      const saved = await readPrivateJson(file);
      if (saved === null) return null;
      const last = loginOf(saved);
      if (origin === null || (last !== null && sameOrigin(last.api_url, origin))) return last;
      const known = isObject(saved.origins) ? saved.origins[new URL(origin).origin] : undefined;
      // The login of another platform is returned as it is: whoever would send it there refuses.
      return (isObject(known) ? loginOf(known) : null) ?? last;
    },
    async write(login) {
      const before = (await readPrivateJson(file)) ?? {};
      const last = loginOf(before);
      const origins = new Map(Object.entries(isObject(before.origins) ? before.origins : {}));
      for (const one of last === null ? [login] : [last, login]) origins.set(new URL(one.api_url).origin, one);
      await writePrivateJson(file, { ...login, origins: Object.fromEntries(origins) });
    },
    readPending: async () => (await readPrivateJson(pendingFile)) as PendingLogin | null,
    writePending: (pending) => writePrivateJson(pendingFile, pending),
    clearPending: () => rm(pendingFile, { force: true }),
    async clear() {
      const had = (await readPrivateJson(file)) !== null;
      await rm(file, { force: true });
      await rm(pendingFile, { force: true });
      return had;
    },
  };
}

function loginOf(saved: Record<string, unknown>): SavedLogin | null {
  const { origins, ...login } = saved;
  if (typeof login.api_key !== "string" || login.api_key === "") return null;
  const url = typeof login.api_url === "string" && login.api_url !== "" ? login.api_url : DEFAULT_API_URL;
  return { ...login, api_url: OLDER_HOSTS.has(url) ? DEFAULT_API_URL : url } as SavedLogin;
}

function sameOrigin(a: string, b: string): boolean {
  return new URL(a).origin === new URL(b).origin;
}
