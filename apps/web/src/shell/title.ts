import { useEffect } from "react";

/** Names the page in the tab and in the history. */
export function useTitle(...parts: readonly (string | null | undefined)[]): void {
  const title = [...parts.filter(Boolean), "While"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
