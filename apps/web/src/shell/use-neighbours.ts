import { announce } from "./announce.tsx";
import { useKeys } from "./keys.tsx";

export interface NeighboursOptions {
  /** What one is of: "run". */
  what: string;
  /** The one that is open. */
  id: string;
  /** All in the order of their list, asked for when one walks. */
  list: () => Promise<readonly string[]>;
  open: (id: string) => void;
}

/** `[` and `]` lead from what is open to the one before and after it in its list. */
export function useNeighbours({ what, id, list, open }: NeighboursOptions): void {
  const go = async (by: 1 | -1): Promise<void> => {
    const ids = await list();
    const at = ids.indexOf(id);
    const next = at === -1 ? undefined : ids[at + by];
    if (next === undefined) announce(by < 0 ? `No ${what} before this one.` : `No ${what} after this one.`);
    else open(next);
  };
  const walk = (by: 1 | -1): void => void go(by).catch((error: Error) => announce(error.message));
  useKeys([
    { keys: "[", says: `${what} before this one in the list`, run: () => walk(-1) },
    { keys: "]", says: `${what} after this one in the list`, run: () => walk(1) },
  ]);
}
