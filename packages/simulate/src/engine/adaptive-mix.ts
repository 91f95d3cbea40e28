import { roundHalfEven } from "@while/schema";

/** What the next rollouts are for, as shares. */
export interface AdaptiveMix {
  /** Situations that nothing is known of. */
  explore: number;
  /** Other words for a situation in which something went wrong. */
  expand: number;
  /** The same words again. */
  verify: number;
}

const EXPLORE_LEAST = 0.3;
const EXPLORE_MORE = 0.5;
/** Seconds left under which nothing more is explored than the least, and over which as much as ever. */
const [SHORT_S, LONG_S] = [15, 180];
const WITHOUT_CLOCK_S = 600;
/** Of what is not explored. */
const EXPAND_SHARE = 0.55;

/** The less time is left, the more of it goes to what went wrong. */
export function adaptiveMix(secondsLeft: number | null): AdaptiveMix {
  const clock = secondsLeft ?? WITHOUT_CLOCK_S;
  const ease = Math.min(1, Math.max(0, (clock - SHORT_S) / (LONG_S - SHORT_S)));
  const explore = EXPLORE_LEAST + EXPLORE_MORE * ease;
  const rest = 1 - explore;
  return { explore, expand: rest * EXPAND_SHARE, verify: rest * (1 - EXPAND_SHARE) };
}

/** A mix as whole rollouts: with two or more, at least one is explored and one is not. */
export function slotCounts(take: number, { explore, verify }: AdaptiveMix): AdaptiveMix {
  const rest = 1 - explore;
  const wanted = roundHalfEven(take * rest, 0);
  const messy = take >= 2 ? Math.min(take - 1, Math.max(1, wanted)) : wanted;
  const again = rest === 0 ? 0 : roundHalfEven((messy * verify) / rest, 0);
  const verified = messy >= 2 ? Math.max(1, again) : again;
  return { explore: take - messy, expand: messy - verified, verify: verified };
}
