/**
 * Places of labels that would stand on each other, moved apart by the least that keeps their order and stays between
 * two ends. Pixels.
 */
export function spreadLabels(
  wanted: readonly number[],
  { apart, low, high }: { apart: number; low: number; high: number },
): number[] {
  const order = wanted.map((_, place) => place).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = [...wanted];
  let least = low;
  for (const place of order) {
    placed[place] = Math.max(wanted[place]!, least);
    least = placed[place]! + apart;
  }
  let most = high;
  for (const place of order.toReversed()) {
    placed[place] = Math.min(placed[place]!, most);
    most = placed[place]! - apart;
  }
  return placed;
}
