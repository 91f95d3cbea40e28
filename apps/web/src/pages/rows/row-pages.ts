/** Rows of one page of the list, and of one page of an export. */
export const PAGE_ROWS = 50;
export const EXPORT_ROWS = 500;

/** The page of the list that a place in it, from 1, is on. */
export function pageOf(place: number): number {
  return Math.ceil(place / PAGE_ROWS);
}

/** The cursor of rows is a place in the list that the filters leave: that makes page 4 an address. */
export function cursorOf(page: number): string | null {
  return page > 1 ? String((page - 1) * PAGE_ROWS) : null;
}
