import { roundHalfEven } from "@while/schema";

const COOLING = 0.93;
const COLDEST = 0.12;
/** The part of a batch that is explored when cold, and what heat adds. */
const [STILL, HEATED] = [0.04, 0.36];
/** From this novelty on, a stranger is welcome for being one. */
const STRANGE = 0.45;

/** How hot the search is: 1 at first, a little less each round, and never cold. */
function temperature(round: number): number {
  return Math.max(COLDEST, COOLING ** round);
}

/** Places of a batch that a candidate which was not chosen may take. */
export function exploreSlots(batch: number, round: number): number {
  const wanted = roundHalfEven(batch * (STILL + HEATED * temperature(round)), 0);
  return Math.min(Math.floor(batch / 2), wanted);
}

/** The chance that such a candidate gets the place. */
export function acceptance(novelty: number, round: number): number {
  return Math.min(1, temperature(round) * (0.15 + 2 * Math.max(0, novelty - STRANGE)));
}
