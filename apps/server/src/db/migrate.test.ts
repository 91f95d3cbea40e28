import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { migrate, readMigrations, statementsOf } from "./migrate.ts";
import { openSqlite } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "while-migrate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [
    "both",
    "create table a (x text);\ncreate table b (y text);\n",
    ["create table a (x text)", "create table b (y text)"],
  ],
  [
    "one kind only",
    "-- why\n\n-- postgres\ncreate table a (x bigint);\n\n-- sqlite\ncreate table a (x integer);\n",
    ["create table a (x integer)"],
  ],
])("statements for SQLite: %s", (_, text, expected) => expect(statementsOf(text, "sqlite")).toEqual(expected));

describe.each(databases)("on $kind", ({ open }) => {
  test("every migration runs once", async () => {
    const database = await open();
    expect(await migrate(database)).toEqual(readMigrations().map(({ name }) => name));
    expect(await migrate(database)).toEqual([]);
    await database.close();
  });

  test("a migration that fails leaves nothing of itself", async () => {
    const database = await open();
    const broken = [
      { number: 1, name: "0001_broken.sql", text: "create table half (x text);\ncreate table half (x text);" },
    ];
    await expect(migrate(database, broken)).rejects.toThrow(/half/);
    await expect(sql`select * from half`.execute(database.db)).rejects.toThrow();
    expect(await database.db.selectFrom("migrations").selectAll().execute()).toEqual([]);
    await database.close();
  });

  test("a database of a newer server is refused", async () => {
    const database = await open();
    await migrate(database, [{ number: 9999, name: "9999_later.sql", text: "" }]);
    await expect(migrate(database)).rejects.toThrow("The database has migration 9999 and this server knows up to");
    await database.close();
  });
});

test("SQLite waits for the disk and for another writer", () => {
  const database = openSqlite(join(folder, "deep", "while.db"));
  return Promise.all([
    expect(sql<{ journal_mode: string }>`pragma journal_mode`.execute(database.db)).resolves.toMatchObject({
      rows: [{ journal_mode: "wal" }],
    }),
    expect(sql`pragma synchronous`.execute(database.db)).resolves.toMatchObject({ rows: [{ synchronous: 2 }] }),
  ]).then(() => database.close());
});
