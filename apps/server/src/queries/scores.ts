import type { Example, Score, StoredScore } from "@while/platform-client/contract";
import { cutExample, cutSample, nearestReading, roundPoints } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import type { RunTable, ScoreTable } from "../db/tables.ts";
import { newId } from "../secrets/new-secret.ts";
import { isoTime } from "../services.ts";
import { refreshNewest } from "./newest-scores.ts";
import { type RowSet, rowSetsOf } from "./row-sets.ts";
import { touchRun } from "./touch-run.ts";

export interface ScoresOptions {
  /** Sample rows in full; otherwise only whether each passed. */
  whole: boolean;
  /** Only what was written after this revision. */
  after?: number;
}

const LISTED = [
  ...(["id", "run_uid", "behavior", "test_version", "score", "ci", "n", "version", "oks"] as const),
  ...(["revision", "created_at", "replaced_at"] as const),
] as const;

type ListedScore = Omit<ScoreTable, "examples">;

/** Of sample rows a list says `ok` alone; without a sample it says null. */
function oksOf({ oks }: ListedScore): Example[] | null {
  return oks === "" ? null : Array.from(oks, (ok): Example => ({ ok: ok === "1" }));
}

function scoreWire(row: ListedScore, rows: RowSet | null, examples: Example[] | null): StoredScore {
  return {
    behavior: row.behavior,
    score: row.score,
    ci: row.ci,
    n: row.n,
    testVersion: row.test_version === "" ? null : row.test_version,
    version: row.version,
    examples,
    createdAt: row.created_at,
    rows: rows?.total ?? null,
    rowsExpected: rows?.expected ?? null,
    rowsScore: rows?.reading == null ? null : roundPoints(nearestReading(row.score, rows.reading)),
  };
}

/** The scores that count of some runs, in the order they were first posted. */
export async function scoresOfRuns(
  db: Db,
  uids: readonly string[],
  { whole, after = -1 }: ScoresOptions,
): Promise<Map<string, StoredScore[]>> {
  const found = new Map<string, StoredScore[]>();
  // Statements take a limited number of values.
  for (let from = 0; from < uids.length; from += 1000) {
    const some = uids.slice(from, from + 1000);
    const [scores, sets] = await Promise.all([
      db
        .selectFrom("scores")
        // The samples are by far the largest part: a list does not read them.
        .select(LISTED)
        .$if(whole, (query) => query.select("examples"))
        .where("run_uid", "in", some)
        .where("replaced_at", "is", null)
        .where("revision", ">", after)
        .orderBy("created_at")
        .orderBy("revision")
        .orderBy("behavior")
        .orderBy("test_version")
        .execute(),
      rowSetsOf(db, some, { whole }),
    ]);
    const totals = new Map(sets.map((set) => [`${set.run_uid} ${set.behavior}`, set]));
    for (const row of scores) {
      const list = found.get(row.run_uid) ?? [];
      const examples = whole ? (JSON.parse(row.examples ?? "null") as Example[] | null) : oksOf(row);
      list.push(scoreWire(row, totals.get(`${row.run_uid} ${row.behavior}`) ?? null, examples));
      found.set(row.run_uid, list);
    }
  }
  return found;
}

/** Stores scores of a run: for each behavior and test the new one counts, the one before stays in the history. */
export async function storeScores(
  db: Db,
  run: RunTable,
  scores: readonly Score[],
  nowMs: number,
): Promise<StoredScore[]> {
  const at = isoTime(nowMs);
  const revision = await touchRun(db, run.uid, nowMs);
  const stored: StoredScore[] = [];
  for (const score of scores) {
    const test = score.testVersion ?? "";
    const examples = score.examples?.map((example) => cutSample(cutExample(example).example).example) ?? null;
    await db
      .updateTable("scores")
      .set({ replaced_at: at })
      .where("run_uid", "=", run.uid)
      .where("behavior", "=", score.behavior)
      .where("test_version", "=", test)
      .where("replaced_at", "is", null)
      .execute();
    const row: ScoreTable = {
      id: newId("score"),
      run_uid: run.uid,
      behavior: score.behavior,
      test_version: test,
      score: score.score,
      ci: score.ci ?? null,
      n: score.n ?? null,
      version: score.version ?? run.version,
      examples: examples === null ? null : JSON.stringify(examples),
      oks: (examples ?? []).map(({ ok }) => (ok ? "1" : "0")).join(""),
      revision,
      created_at: at,
      replaced_at: null,
    };
    await db.insertInto("scores").values(row).execute();
    stored.push(scoreWire(row, null, examples));
  }
  if (run.slug !== null) {
    const behaviors = [...new Set(scores.map(({ behavior }) => behavior))];
    await refreshNewest(db, { accountId: run.account_id, slug: run.slug, version: run.version, behaviors });
  }
  return stored;
}
