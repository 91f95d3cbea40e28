import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import Libsql from "libsql";
import pg from "pg";
import { ServerError } from "../server-error.ts";
import type { Tables } from "./tables.ts";

export type DatabaseKind = "sqlite" | "postgres";

/** One database for every query: the same statements run on both kinds, and `kind` is asked only where they part. */
export interface Database {
  db: Kysely<Tables>;
  kind: DatabaseKind;
  close(): Promise<void>;
}

export type Db = Kysely<Tables>;

/** A count or a sum of bytes leaves PostgreSQL as text, for it may be larger than a double holds; ours never are. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** How long a writer waits for another one before it says that the file is locked. */
const BUSY_MS = 10_000;

/**
 * SQLite in a file, readers beside one writer, each commit on the disk before it is acknowledged.
 *
 * @param file Path of the database file; its folder is made
 */
export function openSqlite(file: string): Database {
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Libsql(file, { timeout: BUSY_MS });
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  return { db, kind: "sqlite", close: () => db.destroy() };
}

/** How long a request waits for one of the connections: as long as its client waits for the answer. */
const WAIT_MS = 30_000;

/**
 * PostgreSQL by its URL, with a pool of `connections`.
 *
 * @throws ServerError `bad_database` when it does not answer
 */
export async function openPostgres(url: string, connections = 10): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: connections, connectionTimeoutMillis: WAIT_MS });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  try {
    await pool.query("select 1");
  } catch (cause) {
    await pool.end();
    const where = URL.canParse(url) ? new URL(url).host : "the given URL";
    throw new ServerError(
      "bad_database",
      `PostgreSQL at ${where} does not answer: ${cause instanceof Error ? cause.message : String(cause)}.`,
      "Check DATABASE_URL, or unset it to use SQLite.",
      { cause },
    );
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, kind: "postgres", close: () => db.destroy() };
}
