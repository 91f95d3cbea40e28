/**
 * Works on items, so many at once, and returns what comes of them in their order. When the work on one throws, no further
 * one is begun and the error is thrown.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    try {
      while (next < items.length) {
        const index = next++;
        results[index] = await work(items[index]!, index);
      }
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}
