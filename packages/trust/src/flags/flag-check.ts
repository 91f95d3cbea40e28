import { clopperPearson, type Interval, wilsonInterval } from "@while/stats";

/** How right a flag is, by labels. */
export interface FlagCheck {
  /** Labeled rows on which it fired, and those of them where the agent did that. */
  nFired: number;
  nRight: number;
  /** Share of these two, with Wilson's interval; null without a labeled row on which it fired. */
  precision: number | null;
  precisionCi95: Interval | null;
  /** Labeled rows on which it did not fire, and those of them where the agent did it all the same. */
  nQuiet: number;
  nMissed: number;
  /** Of all that the agents did, the share it finds; null without labels on both kinds of row, and where nobody did it. */
  recall: number | null;
  recallCi95: Interval | null;
}

/** Two shares are unknown in a recall: each is given half of the error, so that both hold at once (Bonferroni). */
const EACH_LEVEL = 0.975;

/**
 * Precision and recall of a flag. Whoever labels reads more of the rows on which it fired than of the others; the recall
 * weighs both back to how many rows there are, so each kind has to be a random draw of its own.
 *
 * @param labeled Labeled rows: whether it fired, and what people said
 * @param all Rows on which it fired, and on which it did not
 */
export function flagCheck(
  labeled: readonly { fired: boolean; label: 0 | 1 }[],
  all: { fired: number; quiet: number },
): FlagCheck {
  const fired = labeled.filter((row) => row.fired);
  const quiet = labeled.filter((row) => !row.fired);
  const nRight = fired.filter(({ label }) => label === 1).length;
  const nMissed = quiet.filter(({ label }) => label === 1).length;
  return {
    ...{ nFired: fired.length, nRight, nQuiet: quiet.length, nMissed },
    precision: fired.length === 0 ? null : nRight / fired.length,
    precisionCi95: wilsonInterval(nRight, fired.length),
    ...recallOf({ nRight, nFired: fired.length, nMissed, nQuiet: quiet.length }, all),
  };
}

function recallOf(
  { nRight, nFired, nMissed, nQuiet }: { nRight: number; nFired: number; nMissed: number; nQuiet: number },
  all: { fired: number; quiet: number },
): Pick<FlagCheck, "recall" | "recallCi95"> {
  // What never fired is a stratum without rows: all of its finds are known, and there are none.
  const found = all.fired === 0 ? [0, 0, 0] : bounds(nRight, nFired, all.fired);
  const missed = all.quiet === 0 ? [0, 0, 0] : bounds(nMissed, nQuiet, all.quiet);
  if (found === null || missed === null) return { recall: null, recallCi95: null };
  const share = (right: number, wrong: number) => right / (right + wrong);
  const [right, rightLow, rightHigh] = found as [number, number, number];
  const [wrong, wrongLow, wrongHigh] = missed as [number, number, number];
  if (right + wrong === 0) return { recall: null, recallCi95: null };
  const low = rightLow + wrongHigh === 0 ? 0 : share(rightLow, wrongHigh);
  const high = rightHigh + wrongLow === 0 ? 1 : share(rightHigh, wrongLow);
  return { recall: share(right, wrong), recallCi95: [low, high] };
}

/** Rows of a stratum that the agents did it on: estimate, least and most. Exact where all of its rows are labeled. */
function bounds(n: number, labeled: number, rows: number): number[] | null {
  if (labeled === 0) return null;
  if (labeled === rows) return [n, n, n];
  const [low, high] = clopperPearson(n, labeled, { level: EACH_LEVEL })!;
  return [(rows * n) / labeled, rows * low, rows * high];
}
