import { type HistoryState, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Search } from "./search.ts";
import { useChoices } from "./use-search.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Key of the address under which this step opened something. */
    opened?: string;
  }
}

export interface Drawer {
  /** What is open, as it stands in the address. */
  open: string | undefined;
  /** State of a link that opens: `<Link state={drawer.opening}>`. */
  opening: HistoryState;
  /** Shows another one in place of the open one: no step of its own. */
  replaceBy: (value: string, changes?: Search) => void;
  close: () => void;
}

/**
 * What is open over or under a list, by its key in the address. Back closes it, and once it is closed by its own button
 * Back does not open it again: closing goes back over the step that opened it, and where a link led straight to it, or
 * something else was chosen since, closing takes the place of the step one is on.
 */
export function useDrawer(key: string): Drawer {
  const [search, choose] = useChoices();
  const { history } = useRouter();
  const value = search[key];
  const close = useCallback(() => {
    if (history.location.state.opened === key) history.back();
    else choose({ [key]: undefined }, { keepPage: true, replace: true });
  }, [history, choose, key]);
  return {
    open: Array.isArray(value) ? value[0] : value,
    opening: { opened: key },
    replaceBy: (next, changes = {}) => choose({ ...changes, [key]: next }, { keepPage: true, replace: true }),
    close,
  };
}
