import { codePointLength } from "@while/schema";

/** What is left of a text, and how many of its characters are gone. */
export interface MiddleCut {
  text: string;
  /** Null when nothing was cut. */
  nCut: number | null;
}

const MARKER = /\[\.\.\. (\d+) chars cut \.\.\.\]/g;

/** The marker's own number changes its length, and its length the number: it settles within a few rounds. */
const ROUNDS = 4;

/**
 * A text within `cap` code points: its beginning, which shows the approach, a marker with the number of characters
 * gone, and its end, which holds the answer. A marker of an earlier cut that falls into the gap counts as what it stands
 * for, so that the number is that of the text as it was first.
 */
export function cutMiddle(text: string, cap: number): MiddleCut {
  const length = codePointLength(text);
  if (length <= cap) return { text, nCut: null };
  const points = Array.from(text);
  let nCut = length - cap;
  let head = 0;
  let tail = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const keep = cap - markerOf(nCut).length;
    head = Math.floor(keep / 2);
    tail = keep - head;
    const gone = goneIn(points.slice(head, length - tail).join(""), length - keep);
    if (gone === nCut) break;
    nCut = gone;
  }
  const marker = markerOf(nCut);
  // The last round may have made the marker a digit longer than the place that was left for it.
  tail = cap - marker.length - head;
  return { text: points.slice(0, head).join("") + marker + points.slice(length - tail).join(""), nCut };
}

function markerOf(n: number): string {
  return `[... ${n} chars cut ...]`;
}

function goneIn(removed: string, n: number): number {
  let gone = n;
  for (const [marker, number] of removed.matchAll(MARKER)) gone += Number(number) - marker.length;
  return gone;
}
