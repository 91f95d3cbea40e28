import { textsOf } from "../../search.ts";
import { announce } from "../../shell/announce.tsx";
import { useChoices } from "../../use-search.ts";

/** As many as stand beside each other; the one that was marked first makes room. */
const COMPARED_MAX = 8;

/** The runs that are held side by side, as they stand in the address, and the way to mark one or to let it go. */
export function useMarkedRuns(): [ids: readonly string[], mark: (id: string) => void] {
  const [search, choose] = useChoices();
  const ids = [...new Set(textsOf(search, "x"))].slice(0, COMPARED_MAX);
  const mark = (id: string): void => {
    const gone = ids.includes(id);
    const left = gone ? ids.filter((one) => one !== id) : [...ids, id].slice(-COMPARED_MAX);
    choose({ x: left.length === 0 ? undefined : left }, { keepPage: true, replace: true });
    announce(gone ? "The mark is taken off." : "Marked.");
  };
  return [ids, mark];
}
