import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll } from "vitest";
import { type Database, type DatabaseKind, openPostgres, openSqlite } from "../src/db/open-database.ts";

/** A real PostgreSQL, put there by scripts/with-postgres.mjs; without it the tests run on SQLite alone and say so. */
const postgres = process.env.TEST_POSTGRES_URL;
if (postgres === undefined) console.warn("TEST_POSTGRES_URL is not set: the server is tested on SQLite only");

interface Fresh {
  kind: DatabaseKind;
  /** An empty database of its own. */
  open(): Promise<Database>;
}

const folders: string[] = [];

async function freshPostgres(): Promise<Database> {
  // Threads that run tests side by side have one process, and each its own copy of this file.
  const name = `while_test_${randomUUID().replaceAll("-", "")}`;
  const admin = await openPostgres(postgres as string, 1);
  await sql.raw(`create database ${name}`).execute(admin.db);
  await admin.close();
  const url = new URL(postgres as string);
  url.pathname = `/${name}`;
  return openPostgres(url.href, 4);
}

async function freshSqlite(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "while-server-"));
  folders.push(folder);
  return openSqlite(join(folder, "while.db"));
}

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The databases that every test of a query or a route runs on. */
export const databases: Fresh[] = [
  { kind: "sqlite", open: freshSqlite },
  ...(postgres === undefined ? [] : [{ kind: "postgres" as const, open: freshPostgres }]),
];
