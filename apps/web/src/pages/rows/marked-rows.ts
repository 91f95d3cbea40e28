import { type Search, textsOf } from "../../search.ts";

/** More than that side by side are too narrow to read. */
const MARKED_MAX = 4;

const KEY = "x";

/** Places in the set of the rows that are held side by side, in the order they were marked in. */
export function markedPlaces(search: Search): number[] {
  const places = textsOf(search, KEY)
    .map(Number)
    .filter((place) => Number.isSafeInteger(place) && place >= 0);
  return [...new Set(places)].slice(0, MARKED_MAX);
}

/** The address with a row marked, or let go where it was; the one that was marked first makes room. */
export function withMark(search: Search, place: number): Search {
  const before = markedPlaces(search);
  const after = before.includes(place) ? before.filter((one) => one !== place) : [...before, place].slice(-MARKED_MAX);
  return { ...search, [KEY]: after.length === 0 ? undefined : after.map(String) };
}

/** The address without a mark. */
export function withoutMarks(search: Search): Search {
  return { ...search, [KEY]: undefined };
}
