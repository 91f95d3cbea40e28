import type { RefObject } from "react";
import { useKeys } from "./keys.tsx";

export interface RowKeysOptions {
  /** What the rows are: "sets". */
  what: string;
  /** Opens the link of a row. */
  open: (href: string) => void;
}

/** `j` and `k` go from the link at the head of one row of a table to the next; Enter is the link's own. */
export function useRowKeys(box: RefObject<HTMLElement | null>, { what, open }: RowKeysOptions): void {
  const links = (): HTMLAnchorElement[] => [
    ...(box.current?.querySelectorAll<HTMLAnchorElement>("tbody th a[href]") ?? []),
  ];
  const step = (by: 1 | -1): void => {
    const all = links();
    const at = all.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by;
    all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
  };
  useKeys([
    { keys: "j", says: `next of the ${what}`, run: () => step(1) },
    { keys: "k", says: `previous of the ${what}`, run: () => step(-1) },
    {
      keys: "Enter",
      says: `open the one in hand`,
      run: () => {
        const here = links().find((link) => link.closest("tr")?.contains(document.activeElement));
        const href = here?.getAttribute("href");
        if (href != null) open(href);
      },
    },
    { keys: "/", says: "find by name", run: () => document.getElementById("find")?.focus() },
  ]);
}
