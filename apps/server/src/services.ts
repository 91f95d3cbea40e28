import type { BlobStore } from "./blobs/blob-store.ts";
import type { Database, Db } from "./db/open-database.ts";
import type { Log } from "./log.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { Settings } from "./settings.ts";

/** What the routes work with: everything outside of them, given once when the server is put together. */
export interface Services {
  database: Database;
  db: Db;
  blobs: BlobStore;
  mailer: Mailer;
  secrets: Secrets;
  settings: Settings;
  log: Log;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A time as it is stored: ISO 8601, UTC, milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
