import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Search } from "../search.ts";

export interface ViewLinkProps {
  /** The address of the view from the one there is. */
  search: (before: Search) => Search;
  /** Is it the view that is shown? */
  current?: boolean;
  className?: string;
  children: ReactNode;
}

/** Another view of the same page, as a link that can be opened beside this one. */
export function ViewLink({ search, current = false, className, children }: ViewLinkProps): ReactNode {
  return (
    <Link
      to="."
      search={search as never}
      resetScroll={false}
      className={className}
      // The router's own guess takes every view for the current one that has a choice less.
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={current ? "true" : undefined}
    >
      {children}
    </Link>
  );
}
