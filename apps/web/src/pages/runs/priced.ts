import type { PriceBook, RunRow } from "@while/platform-client/contract";
import { type Price, priceEval } from "@while/platform-client/rules";
import type { ScorePoint } from "./score-groups.ts";

/** A version's score and what 1,000 tasks of it cost. */
export interface Priced {
  point: ScorePoint;
  price: Price;
}

/** Answering cost of each version, from the facts of the run behind its score. */
export function pricedOf(points: readonly ScorePoint[], runs: readonly RunRow[], book: PriceBook): Priced[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return points.map((point) => ({ point, price: priceEval(byId.get(point.run ?? "")?.record?.eval ?? {}, book) }));
}
