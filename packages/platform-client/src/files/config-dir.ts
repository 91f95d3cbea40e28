import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Folder of saved logins and of calls that wait: `WHILEAI_HOME`, else `~/.whileai`, else that of an older client. */
export function configDir(home: string | null, userHome: string = homedir()): string {
  if (home !== null) return home;
  const dir = join(userHome, ".whileai");
  const older = join(userHome, ".zeroproof");
  const isOlder = !existsSync(join(dir, "credentials.json")) && existsSync(join(older, "credentials.json"));
  return isOlder ? older : dir;
}
