import { newestScores, seedScores } from "@while/platform-client/rules";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { withApp } from "../../test/with-app.ts";
import { migrate } from "../db/migrate.ts";
import { newestRun, newestScoresOf, runsOfScores, seedScoresOf } from "./newest-scores.ts";
import { runRowsOf } from "./runs.ts";

const BEHAVIORS = ["refunds", "tone"];

/** What may happen to an agent's runs, in any order: five names of runs, three versions, two behaviors and tests. */
const act = fc.oneof(
  fc.record({ what: fc.constant("open" as const), run: fc.nat(4), version: fc.nat(2), seed: fc.option(fc.nat(2)) }),
  fc.record({
    what: fc.constant("score" as const),
    run: fc.nat(4),
    behavior: fc.constantFrom(...BEHAVIORS),
    score: fc.nat(100),
    testVersion: fc.constantFrom(undefined, "t1", "t2"),
  }),
  fc.record({ what: fc.constantFrom("archive" as const, "restore" as const, "delete" as const), run: fc.nat(4) }),
);

describe.each(databases)("the newest score of each version on $kind", ({ kind, open }) => {
  test("is what the rules find over all runs, whatever happened to them", { timeout: 300_000 }, async () => {
    const app = await withApp(await open());
    const { db, database } = { db: app.services.db, database: app.services.database };
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
        const { accountId, key } = await app.account();
        const call = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
        await call("POST", "/agents", { id: "bot", name: "bot" });
        for (const one of acts) {
          const id = `run-${one.run}`;
          app.pass(one.what === "score" && one.score % 2 === 0 ? 0 : 1);
          if (one.what === "open") {
            const record = one.seed === null ? {} : { optimizer: { seed: one.seed } };
            await call("POST", "/runs", { agent: "bot", version: `v${one.version}`, id, record });
          } else if (one.what === "delete") await call("DELETE", `/runs/${id}`);
          else if (one.what === "score") {
            const { behavior, score, testVersion } = one;
            await call("POST", `/runs/${id}/evals`, [{ behavior, score, testVersion }]);
          } else await call("PATCH", `/runs/${id}`, { archived: one.what === "archive" });
        }
        const kept = await newestScoresOf(db, accountId, "bot");
        const seeds = await seedScoresOf(db, accountId, "bot");
        const few = runsOfScores([...kept, ...seeds], await newestRun(db, accountId, "bot"));
        const all = await runRowsOf(db, accountId, "bot");
        for (const behavior of BEHAVIORS) {
          const byVersion = (a: { v: string }, b: { v: string }) => (a.v < b.v ? -1 : 1);
          expect(newestScores(few, behavior).sort(byVersion)).toEqual(newestScores(all, behavior).sort(byVersion));
          expect(seedScores(few, behavior)).toEqual(seedScores(all, behavior));
        }
      }),
      { numRuns: kind === "sqlite" ? 60 : 40, seed: 11 },
    );

    // The same once more from nothing, as a database of an earlier server is filled.
    const before = await sql`select * from newest_scores order by 1, 2, 3, 4`.execute(db);
    expect(before.rows.length).toBeGreaterThan(10);
    await sql`drop table newest_scores`.execute(db);
    await sql`drop index runs_of_version`.execute(db);
    await sql`delete from migrations where number = 7`.execute(db);
    expect(await migrate(database)).toEqual(["0007_newest-scores.sql"]);
    expect((await sql`select * from newest_scores order by 1, 2, 3, 4`.execute(db)).rows).toEqual(before.rows);
    await app.close();
  });

  test("two writers of one version both come through", async () => {
    const app = await withApp(await open());
    const { key } = await app.account();
    const call = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
    await call("POST", "/agents", { id: "bot", name: "bot" });
    const ids = Array.from({ length: 8 }, (_, i) => `run-${i}`);
    for (const id of ids) await call("POST", "/runs", { agent: "bot", version: "v1", id });
    const answers = await Promise.all(
      ids.flatMap((id, i) => [
        call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score: i }]),
        call("PATCH", `/runs/${id}`, { archived: i % 2 === 0 }),
        call("POST", `/runs/${id}/evals`, [{ behavior: "tone", score: i }]),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await app.close();
  });
});
