import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { ServerError } from "../server-error.ts";
import type { Database, DatabaseKind } from "./open-database.ts";

const MIGRATIONS = fileURLToPath(new URL("./migrations/", import.meta.url));

/** Replicas that start together take turns by this number; any number does that nobody else locks. */
const MIGRATION_LOCK = 7_276_801;

export interface Migration {
  number: number;
  name: string;
  text: string;
}

/** The numbered files, in order. `0001_accounts.sql` is number 1. */
export function readMigrations(folder: string = MIGRATIONS): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_[a-z-]+\.sql$/.test(file))
    .sort()
    .map((file) => ({ number: Number(file.slice(0, 4)), name: file, text: readFileSync(`${folder}/${file}`, "utf8") }));
}

/**
 * The statements of a migration for one kind of database. Both kinds share nearly all; one that only one of them runs
 * stands below a line `-- sqlite` or `-- postgres`.
 */
export function statementsOf(text: string, kind: DatabaseKind): string[] {
  return text
    .split(/;[ \t]*$/m)
    .map((statement) => {
      const only = /^-- (sqlite|postgres)$/m.exec(statement)?.[1];
      if (only !== undefined && only !== kind) return "";
      return statement.replace(/^--.*$/gm, "").trim();
    })
    .filter((statement) => statement !== "");
}

/**
 * Brings a database to the newest form. Each migration runs in one transaction with the insert of its own number, so
 * that a crash leaves either all of it or nothing; a database made by a newer server is refused, never changed.
 *
 * @returns The names of those that ran
 * @throws ServerError `bad_migration`
 */
export async function migrate(
  { db, kind }: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  await sql`create table if not exists migrations (number integer primary key, name text not null, at text not null)`.execute(
    db,
  );
  const ran: string[] = [];
  await db.connection().execute(async (connection) => {
    if (kind === "postgres") await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection);
    try {
      const done = new Set(
        (await connection.selectFrom("migrations").select("number").execute()).map((row) => row.number),
      );
      const newest = migrations.at(-1)?.number ?? 0;
      const ahead = [...done].filter((number) => number > newest);
      if (ahead.length > 0) {
        throw new ServerError(
          "bad_migration",
          `The database has migration ${Math.max(...ahead)} and this server knows up to ${newest}.`,
          "Start the newer server, or restore the backup from before it.",
        );
      }
      for (const { number, name, text } of migrations) {
        if (done.has(number)) continue;
        await connection.transaction().execute(async (transaction) => {
          for (const statement of statementsOf(text, kind)) await sql.raw(statement).execute(transaction);
          await transaction.insertInto("migrations").values({ number, name, at: new Date().toISOString() }).execute();
        });
        ran.push(name);
      }
    } finally {
      if (kind === "postgres") await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
    }
  });
  return ran;
}
