import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Search } from "./search.ts";

/** Changes what is chosen; `undefined` takes a choice back. */
export type Choose = (changes: Search, options?: { replace?: boolean; keepPage?: boolean }) => void;

/**
 * What is chosen on this page and the way to change it. Another choice begins at the first page again, and stands in
 * the history, so that Back undoes it; `replace` is for what changes with every key.
 */
export function useChoices(): [search: Search, choose: Choose] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const choose = useCallback<Choose>(
    (changes, { replace = false, keepPage = false } = {}) => {
      const first = keepPage || "page" in changes ? {} : { page: undefined };
      void navigate({
        to: ".",
        search: ((before: Search) => ({ ...before, ...first, ...changes })) as never,
        replace,
        // A step that takes another's place is still the one that opened what is open.
        ...(replace ? { state: true as const } : {}),
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [search, choose];
}
