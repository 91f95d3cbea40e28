import { normalQuantile, Z_95 } from "@while/stats";
import { type Known, moverShare, moverSum } from "./mover.ts";

/** What is known, or taken to be, of a judge whose labels are counted by verdict. */
export interface JudgeShares {
  /** Share of the rows that the judge passes. */
  passes: number;
  /** Of its passes, and of its fails, the share that gold bears out; both inside (0, 1). */
  rightOfPasses: number;
  rightOfFails: number;
}

export interface Floors {
  minAgreement: number;
  minKappa: number;
  minClassRate: number;
  minPerClass: number;
}

/** Labels on rows that the judge passes, and on rows that it fails. */
export interface LabelCounts {
  ofPasses: number;
  ofFails: number;
}

/** A share, how far it would be known with so many labels, and its floor. */
interface Target {
  known: Known;
  floor: number;
}

/** What the labels would show: that the judge holds, or that it does not. */
export type Aim = "pass" | "fail";

/** Agreement, kappa and both rates of right verdicts, weighted back as `weightedAgreement` has them. */
function targetsOf(shares: JudgeShares, floors: Floors, labels: LabelCounts): Target[] {
  const { passes: w, rightOfPasses: p, rightOfFails: q } = shares;
  const v = 1 - w;
  const ofPasses = wilson(p, labels.ofPasses);
  const ofFails = wilson(q, labels.ofFails);
  const times = (weight: number, { estimate, ci95: [low, high] }: Known): Known => ({
    estimate: weight * estimate,
    ci95: [weight * low, weight * high],
  });
  const agreement = moverSum([
    { ...ofPasses, weight: w },
    { ...ofFails, weight: v },
  ]);
  const tpr = moverShare(times(w, ofPasses), times(v, turned(ofFails)));
  const tnr = moverShare(times(v, ofFails), times(w, turned(ofPasses)));
  return [
    { known: agreement, floor: floors.minAgreement },
    { known: weightedKappaOf(shares, labels), floor: floors.minKappa },
    ...(tpr === null ? [] : [{ known: tpr, floor: floors.minClassRate }]),
    ...(tnr === null ? [] : [{ known: tnr, floor: floors.minClassRate }]),
  ];
}

/** Wilson's interval of a share that is not a count over `n`; all of [0, 1] without labels. */
function wilson(share: number, n: number): Known {
  if (n === 0) return { estimate: share, ci95: [0, 1] };
  const shrink = 1 + Z_95 ** 2 / n;
  const centre = (share + Z_95 ** 2 / (2 * n)) / shrink;
  const half = (Z_95 / shrink) * Math.sqrt((share * (1 - share)) / n + Z_95 ** 2 / (4 * n ** 2));
  return { estimate: share, ci95: [centre - half, centre + half] };
}

function turned({ estimate, ci95: [low, high] }: Known): Known {
  return { estimate: 1 - estimate, ci95: [1 - high, 1 - low] };
}

function weightedKappaOf(
  { passes: w, rightOfPasses: p, rightOfFails: q }: JudgeShares,
  { ofPasses, ofFails }: LabelCounts,
): Known {
  const v = 1 - w;
  const above = 2 * w * v * (p + q - 1);
  const below = w ** 2 * (1 - p) + v ** 2 * (1 - q) + w * v * (p + q);
  const slope = (turn: number) => (2 * w * v * below - above * turn) / below ** 2;
  const variance =
    (slope(w * (v - w)) ** 2 * p * (1 - p)) / Math.max(ofPasses, 0.1) +
    (slope(v * (w - v)) ** 2 * q * (1 - q)) / Math.max(ofFails, 0.1);
  const half = Z_95 * Math.sqrt(variance);
  return { estimate: above / below, ci95: [above / below - half, above / below + half] };
}

/** Whether the judge is over every floor at these shares, so that labels would bear it out. */
export function aimOf(shares: JudgeShares, floors: Floors): Aim {
  const targets = targetsOf(shares, floors, { ofPasses: 1, ofFails: 1 });
  return targets.every(({ known, floor }) => known.estimate > floor) ? "pass" : "fail";
}

/**
 * Fewest labels, and on rows of which verdict, that decide about a judge with a chance of `power` if the shares are its
 * own: to pass it, every lower bound has to clear its floor and either class of gold has to be met often enough; to fail it,
 * one upper bound has to stay under. Of splits that do, the one with most room.
 *
 * @param have Labels that are there
 * @param most Rows without one
 * @param total So many new ones and no other number; null for the fewest
 * @returns The new labels; `decides` false where `most` or `limit` ends the search
 */
export function fewestLabels(
  shares: JudgeShares,
  floors: Floors,
  {
    have,
    most,
    limit,
    power,
    total = null,
  }: { have: LabelCounts; most: LabelCounts; limit: number; power: number; total?: number | null },
): LabelCounts & { decides: boolean } {
  // The bound has to be cleared where the labels come out as badly as one in `1 - power` draws.
  const drawnOut = (Z_95 + normalQuantile(power)) / Z_95;
  const aim = aimOf(shares, floors);
  // So many are wanted, that this many are met with a chance of about `power` (Poisson, by its normal law).
  const wantedOfClass = floors.minPerClass + 1 + normalQuantile(power) * Math.sqrt(floors.minPerClass);
  const roomOf = (labels: LabelCounts): number => {
    const slack = targetsOf(shares, floors, labels).map(({ known: { estimate, ci95 }, floor }) =>
      aim === "pass"
        ? estimate - drawnOut * (estimate - ci95[0]) - floor
        : floor - estimate - drawnOut * (ci95[1] - estimate),
    );
    if (aim === "fail") return Math.max(...slack);
    // The judge's errors add some; how many is what is not known.
    const good = labels.ofPasses * shares.rightOfPasses;
    const bad = labels.ofFails * shares.rightOfFails;
    const classes = floors.minPerClass === 0 ? [] : [good / wantedOfClass - 1, bad / wantedOfClass - 1];
    return Math.min(...slack, ...classes);
  };
  const bestOf = (n: number) => {
    let best = { ofPasses: 0, ofFails: 0, room: Number.NEGATIVE_INFINITY };
    for (let ofFails = Math.max(0, n - most.ofPasses); ofFails <= Math.min(n, most.ofFails); ofFails++) {
      const ofPasses = n - ofFails;
      const room = roomOf({ ofPasses: have.ofPasses + ofPasses, ofFails: have.ofFails + ofFails });
      if (room > best.room) best = { ofPasses, ofFails, room };
    }
    return best;
  };
  const last = Math.min(total ?? limit, most.ofPasses + most.ofFails);
  // More labels never leave less room, so that the fewest are found by halving.
  let [low, high] = total === null ? [1, last] : [last, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (bestOf(middle).room >= 0) high = middle;
    else low = middle + 1;
  }
  const { ofPasses, ofFails, room } = bestOf(low);
  return { ofPasses, ofFails, decides: room >= 0 };
}
