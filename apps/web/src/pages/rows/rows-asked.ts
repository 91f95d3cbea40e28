import type { RowsPage, RowsQuery, RowsSummary } from "@while/platform-client/contract";

/** Rows of one page of the list, and of one page of an export. */
export const PAGE_ROWS = 50;
export const EXPORT_ROWS = 500;

/** What a page of rows is asked with. */
export type RowsAsked = RowsQuery & {
  cut?: boolean | null;
  /** Also how the other rollouts of each row's task were graded. */
  siblings?: boolean | null;
};

/** A page with, for each of its rows, how every rollout of its task was graded. */
export type RowsShown = RowsPage & { siblings?: boolean[][] | null };

/** The counts, and the failures by the reason that was given. */
export type RowsCounted = RowsSummary & { byWhy?: { why: string; n: number }[] | null; whyOther?: number | null };

/** The page of the list that a place in it, from 1, is on. */
export function pageOf(place: number): number {
  return Math.ceil(place / PAGE_ROWS);
}

/** The cursor of rows is a place in the list that the filters leave: that makes page 4 an address. */
export function cursorOf(page: number): string | null {
  return page > 1 ? String((page - 1) * PAGE_ROWS) : null;
}
