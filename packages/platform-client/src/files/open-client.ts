import { join } from "node:path";
import { type ClientOptions, PlatformClient } from "../client.ts";
import { readSettings } from "../settings.ts";
import { configDir } from "./config-dir.ts";
import { fileCredentials } from "./file-credentials.ts";
import { fileSpool } from "./file-spool.ts";

export interface OpenClientOptions extends ClientOptions {
  /** Folder of logins and waiting calls; `WHILEAI_HOME`, else `~/.whileai`. */
  home?: string | undefined;
}

/**
 * A client with the logins of `wai login`, and with a place on disk for what its runs report while the platform is
 * away. When the process ends by itself, what still waits is tried once more and then left there.
 */
export function openClient({ home, ...options }: OpenClientOptions = {}): PlatformClient {
  const dir = configDir(home ?? readSettings(options.env).home);
  const client = new PlatformClient({
    credentials: fileCredentials(dir),
    spool: fileSpool(join(dir, "spool")),
    ...options,
  });
  if (opened.size === 0) process.once("beforeExit", closeAll);
  opened.add(client);
  return client;
}

/** Clients of this process: one listener for all. */
const opened = new Set<PlatformClient>();

function closeAll(): void {
  for (const client of opened) void client.close();
}
