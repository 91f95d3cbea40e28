import type { PageQuery } from "@while/platform-client/contract";
import type { SelectQueryBuilder } from "kysely";
import type { Tables } from "../db/tables.ts";
import { HttpError } from "../http/http-error.ts";

export interface Page<T> {
  rows: T[];
  nextCursor: string | null;
}

interface Placed {
  created_at: string;
  id: string;
}

/** Where a page ended: opaque to clients, so that it may change. */
function cursorOf({ created_at, id }: Placed): string {
  return Buffer.from(JSON.stringify([created_at, id])).toString("base64url");
}

function placeOf(cursor: string): [string, string] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(place) && place.length === 2 && place.every((part) => typeof part === "string"))
      return place as [string, string];
  } catch {
    // Not ours: refused below.
  }
  throw new HttpError("invalid_request", "The cursor is none that this server gave. Begin without one.", {
    field: "cursor",
  });
}

/** A list by time of creation, newest first: the whole of it, or a page that goes on exactly where the last one ended. */
export async function pageOf<Table extends keyof Tables, Row extends Placed>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, cursor }: PageQuery,
): Promise<Page<Row>> {
  // The builder knows these columns only by the concrete table; every listed table has them.
  let listed = query as unknown as SelectQueryBuilder<Tables, "datasets", Row>;
  if (cursor != null && cursor !== "") {
    const [at, id] = placeOf(cursor);
    listed = listed.where((e) => e.or([e("created_at", "<", at), e.and([e("created_at", "=", at), e("id", "<", id)])]));
  }
  listed = listed.orderBy("created_at", "desc").orderBy("id", "desc");
  if (limit == null) return { rows: await listed.execute(), nextCursor: null };
  const rows = await listed.limit(limit + 1).execute();
  const more = rows.length > limit;
  const shown = more ? rows.slice(0, limit) : rows;
  return { rows: shown, nextCursor: more ? cursorOf(shown.at(-1) as Row) : null };
}
