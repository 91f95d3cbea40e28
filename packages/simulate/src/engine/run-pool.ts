/**
 * Runs work over items, at most `width` at once, drawing the next item only when there is room for it. Ends when every
 * item is done, or as soon as `isStopped` says so and what is under way has ended. The first rejection ends it.
 */
export async function runPool<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failed = false;
  const worker = async (): Promise<void> => {
    while (!failed && !isStopped()) {
      const { value, done } = iterator.next();
      if (done) return;
      try {
        await work(value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
