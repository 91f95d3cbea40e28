import type { Example, RowsQuery, RowsSummary } from "@while/platform-client/contract";
import { cutExample, NO_TAG, numericTag, rowsSummary } from "@while/platform-client/rules";
import { sql } from "kysely";
import { inTransaction } from "../db/in-transaction.ts";
import type { Db } from "../db/open-database.ts";
import type { ScoreRowTable } from "../db/tables.ts";
import { HttpError } from "../http/http-error.ts";
import { containing } from "./containing.ts";
import { fillRowFacts, rowFacts } from "./row-facts.ts";
import { touchRun } from "./touch-run.ts";

/** Marks around a tag in the text that a filter searches: no tag of ours holds them. */
const OPEN = "\u001e";
const EQUAL = "\u001f";
const CHUNK = 2000;

const plain = (text: string) => text.replaceAll("\0", "").replaceAll(OPEN, "").replaceAll(EQUAL, "");

function tagText(tags: Readonly<Record<string, string>> | null | undefined): string {
  return Object.entries(tags ?? {})
    .map(([key, value]) => `${OPEN}${plain(key)}${EQUAL}${plain(value)}${OPEN}`)
    .join("");
}

/** Text in which a search looks, in lower case. */
function wordsOf({ prompt, reply, reference, why, detail }: Example): string {
  const texts = [prompt, reply, reference, why, detail].filter((text) => typeof text === "string");
  return texts.join("\n").toLowerCase().replaceAll("\0", "");
}

export interface RowsOf {
  uid: string;
  behavior: string;
}

/** Stores graded rows from a place on; what lay in those places is replaced, so that a call sent twice changes nothing. */
export async function storeRows(
  db: Db,
  { uid, behavior }: RowsOf,
  { rows, offset, expected }: { rows: readonly Example[]; offset: number; expected?: number | null },
  nowMs: number,
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await touchRun(transaction, uid, nowMs);
    const entries = rows.map((row, i): ScoreRowTable => {
      const { example } = cutExample(row);
      return {
        run_uid: uid,
        behavior,
        place: offset + i,
        ok: example.ok ? 1 : 0,
        score: example.score ?? null,
        body: JSON.stringify(example),
        tags: tagText(example.tags),
        words: wordsOf(example),
        ...rowFacts(example),
      };
    });
    for (let from = 0; from < entries.length; from += CHUNK) {
      await transaction
        .insertInto("score_rows")
        .values(entries.slice(from, from + CHUNK))
        .onConflict((conflict) =>
          conflict.columns(["run_uid", "behavior", "place"]).doUpdateSet((e) => ({
            ok: e.ref("excluded.ok"),
            score: e.ref("excluded.score"),
            body: e.ref("excluded.body"),
            tags: e.ref("excluded.tags"),
            words: e.ref("excluded.words"),
            ask: e.ref("excluded.ask"),
            why: e.ref("excluded.why"),
            cut: e.ref("excluded.cut"),
          })),
        )
        .execute();
    }
    const { total } = await transaction
      .selectFrom("score_rows")
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .where("run_uid", "=", uid)
      .where("behavior", "=", behavior)
      .executeTakeFirstOrThrow();
    const set = { total, reading: null, ...(expected == null ? {} : { expected }) };
    await transaction
      .insertInto("score_row_sets")
      .values({ run_uid: uid, behavior, expected: null, ...set })
      .onConflict((conflict) => conflict.columns(["run_uid", "behavior"]).doUpdateSet(set))
      .execute();
    return total;
  });
}

/** Deletes the rows behind a score. */
export async function deleteRows(db: Db, { uid, behavior }: RowsOf, nowMs: number): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await touchRun(transaction, uid, nowMs);
    const gone = await transaction
      .deleteFrom("score_rows")
      .where("run_uid", "=", uid)
      .where("behavior", "=", behavior)
      .executeTakeFirst();
    await transaction
      .deleteFrom("score_row_sets")
      .where("run_uid", "=", uid)
      .where("behavior", "=", behavior)
      .execute();
    return Number(gone.numDeletedRows);
  });
}

/** Values asked for, by tag: any of the values of one tag, and every tag. */
function tagFilters(asked: RowFilters): [key: string, values: string[]][] {
  return Object.entries(asked).flatMap(([name, value]): [string, string[]][] =>
    name.startsWith("tag.") && value != null ? [[name.slice(4), [value as string | string[]].flat()]] : [],
  );
}

/** Numbers that a tag must lie between, by tag. */
function tagBounds(asked: RowFilters): Map<string, { min: number; max: number }> {
  const bounds = new Map<string, { min: number; max: number }>();
  for (const [name, value] of Object.entries(asked)) {
    const end = /^(min|max)\.(.+)$/s.exec(name);
    if (end === null || value == null) continue;
    const number = numericTag(String(value));
    if (number === null) {
      throw new HttpError("invalid_request", `${name} is ${JSON.stringify(value)}, and must be one number.`, {
        field: name,
      });
    }
    const [, side, key] = end as unknown as [string, "min" | "max", string];
    bounds.set(key, { min: -Infinity, max: Infinity, ...bounds.get(key), [side]: number });
  }
  return bounds;
}

/**
 * The tag texts whose numbers lie within what is asked for; null where no number is asked for. Read here and not by the
 * database, for two databases do not agree on what is a number.
 */
export async function tagsWithin(db: Db, { uid, behavior }: RowsOf, asked: RowFilters): Promise<string[] | null> {
  const bounds = tagBounds(asked);
  if (bounds.size === 0) return null;
  const kinds = await db
    .selectFrom("score_rows")
    .select("tags")
    .distinct()
    .where("run_uid", "=", uid)
    .where("behavior", "=", behavior)
    .execute();
  return kinds.flatMap(({ tags: text }) => {
    const tags = tagsOf(text);
    const within = Array.from(bounds).every(([key, { min, max }]) => {
      const value = Object.hasOwn(tags, plain(key)) ? numericTag(tags[plain(key)]!) : null;
      return value !== null && value >= min && value <= max;
    });
    return within ? [text] : [];
  });
}

/** What narrows rows down, whatever they are asked for. */
export type RowFilters = Omit<RowsQuery, "sort" | "siblings">;

/** Rows that match, before they are ordered or counted. `tags` is what `tagsWithin` says of the same filters. */
export function matching(db: Db, { uid, behavior }: RowsOf, asked: RowFilters, tags: readonly string[] | null) {
  let query = db.selectFrom("score_rows").where("run_uid", "=", uid).where("behavior", "=", behavior);
  if (tags !== null) query = tags.length === 0 ? query.where(sql<boolean>`1 = 0`) : query.where("tags", "in", tags);
  if (asked.place != null) query = query.where("place", "in", asked.place);
  if (asked.scoreMin != null) query = query.where("score", ">=", asked.scoreMin);
  if (asked.scoreMax != null) query = query.where("score", "<=", asked.scoreMax);
  if (asked.ok != null) query = query.where("ok", "=", asked.ok ? 1 : 0);
  if (asked.cut != null) query = query.where("cut", "=", asked.cut ? 1 : 0);
  for (const word of (asked.q ?? "").toLowerCase().split(/\s+/)) {
    if (word !== "") query = query.where(sql<boolean>`words like ${containing(word.replaceAll("\0", ""))} escape '\\'`);
  }
  for (const [key, values] of tagFilters(asked)) {
    query = query.where(({ or }) =>
      or(
        values.map((value) => {
          const lacks = sql<boolean>`tags not like ${containing(`${OPEN}${plain(key)}${EQUAL}`)} escape '\\'`;
          return value === NO_TAG
            ? lacks
            : sql<boolean>`tags like ${containing(`${OPEN}${plain(key)}${EQUAL}${plain(value)}${OPEN}`)} escape '\\'`;
        }),
      ),
    );
  }
  return query;
}

/**
 * Where a page begins.
 *
 * @throws HttpError `invalid_request` for a cursor that no answer gave
 */
export function offsetOf(cursor: string | null | undefined): number {
  const from = cursor == null || cursor === "" ? 0 : Number(cursor);
  if (Number.isInteger(from) && from >= 0) return from;
  throw new HttpError("invalid_request", "The cursor is none that this server gave. Begin without one.", {
    field: "cursor",
  });
}

export interface RowsFound {
  rows: Example[];
  places: number[];
  siblings?: boolean[][];
  total: number;
  expected: number | null;
  nextCursor: string | null;
}

/** Graded rows that match, in their order or with the lowest score first; whole, or by page. */
export async function findRows(db: Db, of: RowsOf, asked: RowsQuery): Promise<RowsFound> {
  const from = offsetOf(asked.cursor);
  if (asked.cut != null || asked.siblings === true) await fillRowFacts(db, of);
  const base = matching(db, of, asked, await tagsWithin(db, of, asked));
  let page = base.select(["place", "body", "ask"]);
  // A row without a score comes last, on both databases.
  if (asked.sort === "score") page = page.orderBy(sql`case when score is null then 1 else 0 end`).orderBy("score");
  page = page.orderBy("place");
  if (asked.limit != null) page = page.limit(asked.limit).offset(from);
  const [rows, counted, set] = await Promise.all([
    page.execute(),
    base.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
    db
      .selectFrom("score_row_sets")
      .select("expected")
      .where("run_uid", "=", of.uid)
      .where("behavior", "=", of.behavior)
      .executeTakeFirst(),
  ]);
  const end = from + rows.length;
  return {
    rows: rows.map(({ body }) => JSON.parse(body) as Example),
    places: rows.map(({ place }) => place),
    ...(asked.siblings === true ? { siblings: await siblingsOf(db, of, rows) } : {}),
    total: counted.total,
    expected: set?.expected ?? null,
    nextCursor: asked.limit != null && end < counted.total ? String(end) : null,
  };
}

/** Tags of a row from the text they are searched in. */
function tagsOf(text: string): Record<string, string> {
  const pairs = text.split(OPEN).filter((pair) => pair.includes(EQUAL));
  return Object.fromEntries(pairs.map((pair) => pair.split(EQUAL) as [string, string]));
}

/** How every answer to the ask of each row went, in the order of their places. */
async function siblingsOf(
  db: Db,
  { uid, behavior }: RowsOf,
  rows: readonly { ask: string | null }[],
): Promise<boolean[][]> {
  const asks = [...new Set(rows.map(({ ask }) => ask as string))];
  const oks = new Map<string, boolean[]>(asks.map((ask) => [ask, []]));
  for (let from = 0; from < asks.length; from += CHUNK) {
    const answers = await db
      .selectFrom("score_rows")
      .select(["ask", "ok"])
      .where("run_uid", "=", uid)
      .where("behavior", "=", behavior)
      .where("ask", "in", asks.slice(from, from + CHUNK))
      .orderBy("place")
      .execute();
    for (const { ask, ok } of answers) oks.get(ask as string)?.push(ok === 1);
  }
  return rows.map(({ ask }) => oks.get(ask as string) as boolean[]);
}

/** Counts of the rows that match: by every value of every tag, and by why they failed. Their texts are not read for it. */
export async function summarizeRows(db: Db, of: RowsOf, asked: RowsQuery): Promise<RowsSummary> {
  await fillRowFacts(db, of);
  const why = sql<string>`case when ok = 1 then '' else why end`;
  const base = matching(db, of, asked, await tagsWithin(db, of, asked));
  const between = sql<number>`count(case when score not in (0, 1) then 1 end)`;
  const [groups, { n, min, max, between: fractions }] = await Promise.all([
    base
      .select((e) => ["ok", "tags", why.as("why"), e.fn.countAll<number>().as("times")])
      .groupBy(["ok", "tags", why])
      .execute(),
    base
      .select(({ fn }) => [
        fn.count<number>("score").as("n"),
        fn.min("score").as("min"),
        fn.max("score").as("max"),
        between.as("between"),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  const counted = groups.map(({ ok, tags, why: reason, times }) => ({
    ...{ ok: ok === 1, tags: tagsOf(tags) },
    ...{ why: reason, times },
  }));
  return {
    ...rowsSummary(counted),
    scores: min === null || max === null ? null : { n, min, max, between: fractions },
  };
}
