import { isObject, type Row, scrubRow } from "@while/schema";
import { ExportError } from "../export-error.ts";
import { invalidOption } from "../training-rows.ts";
import { PAIR_KEYS, type PairSide, type PairSource } from "./wire-pair.ts";

/** @throws ExportError `invalid_option`, `not_pairs` */
export function* checkedPairs(pairs: Iterable<PairSource>): Generator<PairSource> {
  if (!isObject(pairs) && !Array.isArray(pairs)) {
    throw invalidOption(
      `The pairs are ${pairs === null ? "null" : typeof pairs} and no list.`,
      "Give a list of pairs.",
    );
  }
  let index = 0;
  for (const pair of pairs) {
    if (!isObject(pair) || !isSide(pair.chosen) || !isSide(pair.rejected)) {
      throw new ExportError(
        "not_pairs",
        `Entry ${index} has no chosen/rejected rows.`,
        "Give pairs of buildPreferencePairs (wai pairs), or objects with a row or a list of messages on either side.",
        { data: { index } },
      );
    }
    index++;
    yield pair as unknown as PairSource;
  }
}

function isSide(side: unknown): side is PairSide {
  return isObject(side) || (Array.isArray(side) && side.length > 0 && side.every(isObject));
}

/** A side as a row; one that has no ask of its own gets the pair's. */
export function sideRow(pair: PairSource, side: "chosen" | "rejected"): Row {
  const given = pair[side];
  const row = (Array.isArray(given) ? { messages: given } : given) as Row;
  return row.prompt === undefined && typeof pair.prompt === "string" ? { ...row, prompt: pair.prompt } : row;
}

/** The ask as text; null when neither pair nor side says it. */
export function textOfAsk({ prompt }: PairSource, chosen: Row): string | null {
  if (typeof prompt === "string") return prompt;
  return typeof chosen.prompt === "string" ? chosen.prompt : null;
}

/** What travels beside the pair; what does not is counted. */
export function besides(pair: PairSource, notCarried: Map<string, number>): Record<string, unknown> {
  const { row } = scrubRow(pair as unknown as Row);
  const beside: Record<string, unknown> = {};
  for (const key of PAIR_KEYS) if (row[key] !== null && row[key] !== undefined) beside[key] = row[key];
  for (const key of Object.keys(row)) {
    if (["prompt", "chosen", "rejected", "schema_version"].includes(key) || PAIR_KEYS.includes(key)) continue;
    if (row[key] !== null && row[key] !== undefined) notCarried.set(key, (notCarried.get(key) ?? 0) + 1);
  }
  beside.schema_version = "1";
  return beside;
}
