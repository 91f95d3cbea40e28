import { useRef } from "react";
import { type Search, textOf } from "../search.ts";
import type { Choose } from "../use-search.ts";

/** A page of a list that goes on by cursor. */
export interface CursorPage {
  /** From 1. */
  page: number;
  cursor: string | undefined;
  /** Goes to a page next to this one; the first can always be reached. */
  onPage: (page: number) => void;
  /** Where another page begins: its cursor, `null` for the first, and `undefined` where nobody knows. */
  begins: (page: number) => string | null | undefined;
}

/** A page as it stands in the address; the first does not. */
export function writePage(page: number, cursor: string | null | undefined): string | undefined {
  return page > 1 && cursor ? `${page}~${cursor}` : undefined;
}

/** A page as it stands in the address: its number, and after `~` the cursor that begins it. */
export function readPage(text: string | undefined): { page: number; cursor: string | undefined } {
  const [, number, cursor] = /^(\d{1,6})~(.+)$/s.exec(text ?? "") ?? [];
  const page = Number(number);
  return cursor !== undefined && page >= 2 ? { page, cursor } : { page: 1, cursor: undefined };
}

/**
 * Pages of a list whose answers tell only where they go on. Cursors that were met are kept, so that one can go back; a
 * link to a page far inside goes back to the first.
 */
export function useCursorPage(
  [search, choose]: readonly [Search, Choose],
  next: string | null | undefined,
  key = "page",
): CursorPage {
  const { page, cursor } = readPage(textOf(search, key));
  const met = useRef(new Map<number, string>());
  if (cursor !== undefined) met.current.set(page, cursor);
  const begins = (wanted: number): string | null | undefined =>
    wanted <= 1 ? null : wanted === page + 1 ? (next ?? undefined) : met.current.get(wanted);
  return {
    page,
    cursor,
    begins,
    onPage: (wanted) => choose({ [key]: writePage(wanted, begins(wanted)) }, { keepPage: true }),
  };
}
