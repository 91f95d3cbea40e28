import { isTrustedKind, kindName } from "./gold-kind.ts";

/** What labels and marks have in common. */
interface GivenRecord {
  annotator?: string | null;
  kind?: string | null;
  ts?: number | null;
}

/** Whose records count: with `trusted` a model's only where no person and no program gave any; with `all` every one. */
export type Voters = "trusted" | "all";
export const VOTERS: readonly Voters[] = ["trusted", "all"];

/**
 * The records that count: of each annotator and kind the latest, by time or, where that is not known, by place; and
 * where people or programs gave some, theirs alone. A model never outvotes them.
 *
 * The Python SDK counts a corrected label twice, and a model's as much as a person's.
 */
export function decidingRecords<Kept extends GivenRecord>(
  records: readonly Kept[],
  voters: Voters = "trusted",
): Kept[] {
  const latest = new Map<string, Kept>();
  for (const record of records) {
    const voter = JSON.stringify([record.annotator ?? "unknown", kindName(record.kind)]);
    const earlier = latest.get(voter)?.ts ?? Number.NEGATIVE_INFINITY;
    if (typeof record.ts !== "number" || record.ts >= earlier) latest.set(voter, record);
  }
  const all = [...latest.values()];
  const trusted = voters === "all" ? [] : all.filter(({ kind }) => isTrustedKind(kind));
  return trusted.length > 0 ? trusted : all;
}
