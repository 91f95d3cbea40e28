import type { MersenneTwister } from "@while/stats";
import type { Asks } from "./asks.ts";
import { bitsOf, type Rewards } from "./centred-feature.ts";

/** The rewards as they were given. */
export function rewardsOf({ reward, binary }: Asks): Rewards {
  return rewardsFrom(reward, binary);
}

/** @param binary Are all of them 0 or 1? Then they are bits too. */
export function rewardsFrom(values: Float64Array, binary: boolean): Rewards {
  return { values, bits: binary ? packed(values) : null };
}

/** Draws rewards shuffled inside every group (Fisher and Yates), into the same array of values each time. */
export function shuffler({ reward, starts, binary }: Asks, rng: MersenneTwister): () => Rewards {
  const values = Float64Array.from(reward);
  // A group whose rewards agree looks the same in every order.
  const mixed = Array.from({ length: starts.length - 1 }, (_, g) => g).filter((g) => {
    const first = reward[starts[g]!];
    return reward.subarray(starts[g]!, starts[g + 1]!).some((value) => value !== first);
  });
  return () => {
    for (const g of mixed) {
      const from = starts[g]!;
      for (let i = starts[g + 1]! - 1; i > from; i--) {
        const j = from + rng.below(i - from + 1);
        const kept = values[i]!;
        values[i] = values[j]!;
        values[j] = kept;
      }
    }
    return rewardsFrom(values, binary);
  };
}

function packed(values: Float64Array): Uint32Array {
  const bits = bitsOf(new Int32Array(0), values.length);
  for (let i = 0; i < values.length; i++) if (values[i] === 1) bits[i >>> 5]! |= 1 << (i & 31);
  return bits;
}
