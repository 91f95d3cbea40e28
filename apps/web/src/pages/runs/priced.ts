import type { PriceBook, RunRow } from "@while/platform-client/contract";
import { type Price, priceEval } from "@while/platform-client/rules";
import type { ScorePoint } from "./score-groups.ts";

/** A version's score and what 1,000 tasks of it cost. */
export interface Priced {
  point: ScorePoint;
  price: Price;
}

/** Answering cost of each version whose run was read, from the facts of that run. */
export function pricedOf(points: readonly ScorePoint[], runs: readonly RunRow[], book: PriceBook): Priced[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return points.flatMap((point) => {
    const run = byId.get(point.run ?? "");
    return run === undefined ? [] : [{ point, price: priceEval(run.record?.eval ?? {}, book) }];
  });
}
