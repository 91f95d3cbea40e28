import type { ReactNode } from "react";
import { whole } from "../numbers.ts";

export interface PagerProps {
  /** From 1. */
  page: number;
  size: number;
  total: number;
  /** What is counted: "rows". */
  what: string;
  onPage: (page: number) => void;
}

/** Where one is in a long list. */
export function Pager({ page, size, total, what, onPage }: PagerProps): ReactNode {
  const pages = Math.max(1, Math.ceil(total / size));
  if (pages === 1) return null;
  const from = (page - 1) * size + 1;
  return (
    <nav className="pager small" aria-label={`Pages of ${what}`}>
      <button type="button" className="plain" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Earlier
      </button>
      <span className="quiet">
        {whole(from)} to {whole(Math.min(total, from + size - 1))} of {whole(total)} {what}
      </span>
      <button type="button" className="plain" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Later
      </button>
    </nav>
  );
}
