import type { Example, Flips, FlipsQuery } from "@while/platform-client/contract";
import { pairRows, rowDifference } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import { fillRowFacts } from "./row-facts.ts";
import { offsetOf, type RowsOf } from "./score-rows.ts";

const PAGE = 50;

/** A row without its texts: its place, its ask, its grade. */
export interface NarrowRow {
  place: number;
  key: string;
  ok: boolean;
}

/** The rows of a set by their ask, without their texts, in order of place. */
export async function narrowRows(db: Db, of: RowsOf): Promise<NarrowRow[]> {
  await fillRowFacts(db, of);
  const rows = await db
    .selectFrom("score_rows")
    .select(["place", "ask", "ok"])
    .where("run_uid", "=", of.uid)
    .where("behavior", "=", of.behavior)
    .orderBy("place")
    .execute();
  return rows.map(({ place, ask, ok }) => ({ place, key: ask as string, ok: ok === 1 }));
}

/** The rows in these places, whole. */
export async function bodiesOf(
  db: Db,
  { uid, behavior }: RowsOf,
  places: readonly number[],
): Promise<Map<number, Example>> {
  if (places.length === 0) return new Map();
  const rows = await db
    .selectFrom("score_rows")
    .select(["place", "body"])
    .where("run_uid", "=", uid)
    .where("behavior", "=", behavior)
    .where("place", "in", [...places])
    .execute();
  return new Map(rows.map(({ place, body }) => [place, JSON.parse(body) as Example]));
}

/** The same asks in two sets of rows: which changed sides, whether that is more than chance, and a page of them. */
export async function findFlips(db: Db, before: RowsOf, after: RowsOf, asked: FlipsQuery): Promise<Flips> {
  const from = offsetOf(asked.cursor);
  const [old, young] = [await narrowRows(db, before), await narrowRows(db, after)];
  const { pairs, p, ...counts } = pairRows(old, young);
  const { fixed, broke, bothPassed, bothFailed } = pairs;
  const kinds = { fixed, broke, bothPassed, bothFailed, changed: [...broke, ...fixed] };
  const wanted = kinds[asked.kind ?? "changed"];
  const shown = wanted.slice(from, from + (asked.limit ?? PAGE));
  const [olds, youngs] = [
    await bodiesOf(
      db,
      before,
      shown.map(([place]) => old[place]!.place),
    ),
    await bodiesOf(
      db,
      after,
      shown.map(([, place]) => young[place]!.place),
    ),
  ];
  const end = from + shown.length;
  return {
    ...counts,
    bothPassed: bothPassed.length,
    bothFailed: bothFailed.length,
    fixed: fixed.length,
    broke: broke.length,
    p: p?.pMid ?? null,
    difference: rowDifference(old, young),
    rows: shown.map(([a, b]) => ({
      before: olds.get(old[a]!.place) as Example,
      after: youngs.get(young[b]!.place) as Example,
    })),
    total: wanted.length,
    nextCursor: end < wanted.length ? String(end) : null,
  };
}
