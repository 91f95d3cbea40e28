/** What one judge said of a row. */
export interface Ballot {
  name: string;
  /** Null where it gave none. */
  reward: number | null;
  reason: string;
}

/** `majority`: 1 or 0, whichever more of them say; `mean`: the mean of their rewards. */
export type VoteRule = "majority" | "mean";

export const VOTE_RULES: readonly VoteRule[] = ["majority", "mean"];

export interface Vote {
  /** Null where as many say the one as the other, or nobody anything. */
  reward: number | null;
  reason: string;
  /** By judge. */
  votes: Record<string, number | null>;
  nVotes: number;
  unanimous: boolean;
}

/** Of several verdicts one. Partial credit is no vote of a majority: 0.75 says neither. */
export function voteOf(ballots: readonly Ballot[], rule: VoteRule): Vote {
  const counts = (reward: number | null): reward is number =>
    reward !== null && (rule === "mean" || reward === 0 || reward === 1);
  const cast = ballots.filter(({ reward }) => counts(reward));
  const total = cast.reduce((sum, { reward }) => sum + reward!, 0);
  const reward = cast.length === 0 ? null : rule === "mean" ? total / cast.length : majorityOf(total, cast.length);
  // Of those that say what the vote says; of a mean, the nearest to it.
  const nearest = [...cast].sort((a, b) => Math.abs(a.reward! - (reward ?? 0)) - Math.abs(b.reward! - (reward ?? 0)));
  return {
    reward,
    reason: reward === null ? "" : (nearest.find(({ reason }) => reason !== "")?.reason ?? ""),
    votes: Object.fromEntries(ballots.map(({ name, reward: own }) => [name, own])),
    nVotes: cast.length,
    unanimous: cast.length === ballots.length && new Set(cast.map(({ reward: own }) => own)).size === 1,
  };
}

function majorityOf(passes: number, n: number): 0 | 1 | null {
  if (2 * passes === n) return null;
  return 2 * passes > n ? 1 : 0;
}

/** As it lies in a row's `judge_meta`. */
export function voteMeta({ votes, nVotes, unanimous }: Vote): Record<string, unknown> {
  return { votes, n_votes: nVotes, unanimous };
}
