import { createHash } from "node:crypto";
import type { Example } from "@while/platform-client/contract";
import type { Db } from "../db/open-database.ts";
import type { ScoreRowTable } from "../db/tables.ts";

/** Where the middle of a text was cut. */
const CUT = /\[\.\.\. \d+ chars cut \.\.\.\]/;
const CHUNK = 500;

export type RowFacts = Pick<ScoreRowTable, "ask" | "why" | "cut">;

/** What a stored row is grouped, paired and filtered by. */
export function rowFacts({ prompt, reply, reference, detail, why }: Example): RowFacts {
  const ask = JSON.stringify([prompt ?? null, reference ?? null]);
  return {
    ask: createHash("sha256").update(ask).digest("base64url").slice(0, 22),
    why: (why ?? "").replaceAll("\0", ""),
    cut: [prompt, reply, reference, detail, why].some((text) => typeof text === "string" && CUT.test(text)) ? 1 : 0,
  };
}

/** Fills in the facts of rows that an earlier server stored without them. Rows of this one have them from the start. */
export async function fillRowFacts(db: Db, { uid, behavior }: { uid: string; behavior: string }): Promise<void> {
  const without = () =>
    db
      .selectFrom("score_rows")
      .select(["place", "body"])
      .where("run_uid", "=", uid)
      .where("behavior", "=", behavior)
      .where("ask", "is", null)
      .limit(CHUNK)
      .execute();
  for (let rows = await without(); rows.length > 0; rows = await without()) {
    await db.transaction().execute(async (transaction) => {
      for (const { place, body } of rows) {
        await transaction
          .updateTable("score_rows")
          .set(rowFacts(JSON.parse(body) as Example))
          .where("run_uid", "=", uid)
          .where("behavior", "=", behavior)
          .where("place", "=", place)
          .execute();
      }
    });
  }
}
