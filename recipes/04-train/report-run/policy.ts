/** A reply that an order desk may give. */
export const REPLIES = ["refund it", "refuse it", "ask for the order number", "hand it to a person"] as const;

/** Situations of the desk. Each has one right reply, which the policy does not know. */
export const TASKS: readonly { ask: string; right: number; kind: string }[] = Array.from({ length: 90 }, (_, i) => {
  const right = i % REPLIES.length;
  const kind = ["late parcel", "worn shoes", "no receipt", "angry customer"][right] as string;
  return { ask: `Request ${i + 1}: ${kind}, order ${1000 + i}`, right, kind };
});

/** Numbers in [0, 1) from a seed, the same on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A score for each reply to each kind of situation: the smallest thing that can be trained. */
export type Policy = Map<string, number[]>;

export function newPolicy(): Policy {
  return new Map(TASKS.map(({ kind }) => [kind, REPLIES.map(() => 0)]));
}

function chances(policy: Policy, kind: string): number[] {
  const scores = policy.get(kind) as number[];
  const weights = scores.map((score) => Math.exp(score));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

export function reply(policy: Policy, kind: string, random: () => number): number {
  let left = random();
  const shares = chances(policy, kind);
  for (const [i, share] of shares.entries()) {
    left -= share;
    if (left < 0) return i;
  }
  return shares.length - 1;
}

/** One step by groups: eight replies to an ask, each pushed up or down by how it compares with the others. */
export function step(policy: Policy, task: (typeof TASKS)[number], random: () => number): { reward: number } {
  const picks = Array.from({ length: 8 }, () => reply(policy, task.kind, random));
  const rewards = picks.map((pick) => (pick === task.right ? 1 : 0));
  const mean = rewards.reduce<number>((sum, reward) => sum + reward, 0) / rewards.length;
  const before = chances(policy, task.kind);
  const scores = policy.get(task.kind) as number[];
  for (const [i, pick] of picks.entries()) {
    const advantage = (rewards[i] as number) - mean;
    for (const j of scores.keys())
      scores[j] = (scores[j] as number) + 0.05 * advantage * ((j === pick ? 1 : 0) - (before[j] as number));
  }
  return { reward: mean };
}
