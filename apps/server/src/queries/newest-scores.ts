import type { ScoredRun } from "@while/platform-client/rules";
import { sql } from "kysely";
import type { Db } from "../db/open-database.ts";
import type { NewestScoreTable, RunTable } from "../db/tables.ts";
import { factsChanged } from "./agent-facts-changed.ts";

/** A version of an agent whose scores may have changed. */
export interface VersionOf {
  accountId: string;
  slug: string;
  version: string;
  /** Only these behaviors; all of them by default. */
  behaviors?: readonly string[];
}

/**
 * Makes the writers of an agent's scores wait for one another. Taken first in a transaction, before any run of the
 * agent, so that no two wait in a circle.
 */
export async function lockAgent(db: Db, accountId: string, slug: string): Promise<void> {
  await db
    .updateTable("agents")
    .set((e) => ({ name: e.ref("name") }))
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .execute();
}

/**
 * Finds the newest score of a version on its behaviors anew, after a score, an archived run or a deleted one. In a
 * transaction that holds `lockAgent`. Of scores of one instant the one of the newest run counts, as in the rules.
 */
export async function refreshNewest(db: Db, { accountId, slug, version, behaviors }: VersionOf): Promise<void> {
  const of = behaviors === undefined ? sql`` : sql`and s.behavior in (${sql.join([...behaviors])})`;
  let stale = db
    .deleteFrom("newest_scores")
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .where("version", "=", version);
  if (behaviors !== undefined) stale = stale.where("behavior", "in", [...behaviors]);
  await stale.execute();
  await sql`
    insert into newest_scores
      (account_id, slug, behavior, version, run_uid, run_id, run_at, test_version, score, ci, n, scored_at)
    select ${accountId}, ${slug}, behavior, ${version}, run_uid, run_id, run_at, test_version, score, ci, n, scored_at
    from (
      select s.behavior, s.run_uid, r.id as run_id, r.created_at as run_at, s.test_version, s.score, s.ci, s.n,
        s.created_at as scored_at,
        row_number() over (
          partition by s.behavior order by s.created_at desc, r.created_at desc, r.id desc, s.test_version
        ) as place
      from runs r join scores s on s.run_uid = r.uid
      where r.account_id = ${accountId} and r.slug = ${slug} and r.version = ${version} and r.archived = 0
        and s.replaced_at is null ${of}
    ) ranked
    where place = 1`.execute(db);
  await factsChanged(db, accountId, slug);
}

/** A score with the seed of its run. */
export interface SeededScore extends NewestScoreTable {
  seed: number | null;
}

/** The newest score of every version on every behavior of an agent, by time. */
export function newestScoresOf(db: Db, accountId: string, slug: string): Promise<SeededScore[]> {
  return db
    .selectFrom("newest_scores as n")
    .innerJoin("runs as r", "r.uid", "n.run_uid")
    .selectAll("n")
    .select("r.seed")
    .where("n.account_id", "=", accountId)
    .where("n.slug", "=", slug)
    .orderBy("scored_at")
    .orderBy("run_at")
    .orderBy("run_id")
    .execute();
}

/** More versions than this are not named in a query. */
const NAMED_VERSIONS = 1000;

/**
 * Every score that counts of versions with several seeds, by time: those of one seed, which most are, are not read. Asked
 * one after the other, as a database that has counted nothing yet would look the versions up again for every score.
 */
export async function seedScoresOf(db: Db, accountId: string, slug: string): Promise<SeededScore[]> {
  const several = await versionsOfSeveralSeeds(db, accountId, slug);
  if (several.size === 0) return [];
  let query = db
    .selectFrom("runs as r")
    .innerJoin("scores as s", "s.run_uid", "r.uid")
    .select(["r.account_id", "r.version", "r.seed", "r.id as run_id", "r.uid as run_uid", "r.created_at as run_at"])
    .select(["s.behavior", "s.test_version", "s.score", "s.ci", "s.n", "s.created_at as scored_at"])
    .select(sql<string>`r.slug`.as("slug"))
    .where("r.account_id", "=", accountId)
    .where("r.slug", "=", slug)
    .where("r.archived", "=", 0)
    .where("r.seed", "is not", null)
    .where("s.replaced_at", "is", null)
    .orderBy("s.created_at")
    .orderBy("r.created_at")
    .orderBy("r.id");
  if (several.size <= NAMED_VERSIONS) query = query.where("r.version", "in", [...several]);
  return (await query.execute()).filter(({ version }) => several.has(version));
}

async function versionsOfSeveralSeeds(db: Db, accountId: string, slug: string): Promise<Set<string>> {
  const versions = await db
    .selectFrom("runs")
    .select("version")
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .where("seed", "is not", null)
    .groupBy("version")
    .having((h) => h.fn.count("seed").distinct(), ">", 1)
    .execute();
  return new Set(versions.map(({ version }) => version));
}

/** The newest run of an agent that is not archived. */
export function newestRun(db: Db, accountId: string, slug: string): Promise<RunTable | undefined> {
  return db
    .selectFrom("runs")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .where("archived", "=", 0)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Runs as the rules of verdict, deltas and evals read them, newest first: those that made a newest score or one of
 * several seeds, with these scores alone, and the newest run. Every rule over newest scores says the same of them as of
 * all runs.
 */
export function runsOfScores(scores: readonly SeededScore[], newest: RunTable | undefined): ScoredRun[] {
  const runs = new Map<string, ScoredRun & { createdAt: string }>();
  if (newest !== undefined) {
    const targets = JSON.parse(newest.targets) as string[];
    const { id, version, created_at: createdAt } = newest;
    runs.set(id, { id, version, targets, createdAt, ...seedRecord(newest.seed), evals: [] });
  }
  const seen = new Set<string>();
  for (const row of scores) {
    const one = JSON.stringify([row.run_id, row.behavior, row.test_version]);
    if (seen.has(one)) continue;
    seen.add(one);
    const { run_id: id, version, run_at: createdAt } = row;
    const run = runs.get(id) ?? { id, version, createdAt, ...seedRecord(row.seed), evals: [] };
    runs.set(id, run);
    run.evals!.push({
      behavior: row.behavior,
      score: row.score,
      ci: row.ci,
      n: row.n,
      testVersion: row.test_version === "" ? null : row.test_version,
      createdAt: row.scored_at,
    });
  }
  const later = (a: string, b: string) => (a < b ? 1 : a > b ? -1 : 0);
  return [...runs.values()].sort((a, b) => later(a.createdAt, b.createdAt) || later(a.id, b.id));
}

/** Of a record the rules read the seed. */
function seedRecord(seed: number | null): Pick<ScoredRun, "record"> {
  return seed === null ? {} : { record: { optimizer: { seed } } };
}
