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

describe.each(databases)("a folder of an earlier server on $kind", ({ open }) => {
  test.each(
    readMigrations()
      .slice(0, -1)
      .map(({ name }, i) => [name, i + 1] as const),
  )("that had got to %s keeps everything", async (_, upTo) => {
    const database = await open();
    await migrate(database, readMigrations().slice(0, upTo));
    const account = {
      id: "usr_1",
      email: "ada@example.org",
      tier: "full" as const,
      trial_expires_at: null,
      created_at: "2026-01-01T00:00:00.000Z",
    };
    await database.db.insertInto("accounts").values(account).execute();
    if (upTo >= 2) {
      await sql`insert into datasets (id, account_id, name, purpose, status, sealed, version, bytes, created_at) values ('ds_1', 'usr_1', 'set', 'train', 'ready', 0, 1, 9, '2026-01-01T00:00:00.000Z')`.execute(
        database.db,
      );
    }
    if (upTo >= 5 && upTo < 10) {
      const kept = {
        version: 1,
        profile: { rows: 4, graded: 4, pass_rate: 0.25, mixed_tasks: 3, per_task: [{ task: "nul \0" }] },
      };
      await sql`update datasets set profile = ${JSON.stringify(kept)}`.execute(database.db);
    }
    await migrate(database);
    expect(await database.db.selectFrom("accounts").selectAll().execute()).toEqual([account]);
    const sets = await database.db
      .selectFrom("datasets")
      .select(["id", "name", "bytes", "pass_rate", "mixed_tasks"])
      .execute();
    const facts = upTo >= 5 && upTo < 10 ? { pass_rate: 0.25, mixed_tasks: 3 } : { pass_rate: null, mixed_tasks: null };
    expect(sets).toEqual(upTo >= 2 ? [{ id: "ds_1", name: "set", bytes: 9, ...facts }] : []);
    await database.close();
  });
});
