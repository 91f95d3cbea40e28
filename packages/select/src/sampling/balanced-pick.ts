/**
 * How many right and wrong samples of a prompt to keep: half of `keep` right, the rest wrong, each side topped up from
 * what the other lacks. Fewer than `keep` when there are fewer samples.
 *
 * @returns Counts of right and of wrong ones
 */
export function balancedPick(nRight: number, nWrong: number, keep: number): [right: number, wrong: number] {
  const right = Math.min(nRight, Math.floor(keep / 2));
  const wrong = Math.min(nWrong, keep - right);
  return [Math.min(nRight, keep - wrong), wrong];
}
