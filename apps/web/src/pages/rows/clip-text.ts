import { codePointLength, cutCodePoints } from "@while/schema";

/** Up to that many characters a text stands whole in a list. */
const WHOLE = 360;
/** Of a longer one its beginning does. */
const BEGINNING = 280;

/** The beginning of a text, and how much follows. */
export interface ClippedText {
  text: string;
  more: number;
}

export function clipText(text: string): ClippedText {
  const length = codePointLength(text);
  if (length <= WHOLE) return { text, more: 0 };
  return { text: cutCodePoints(text, BEGINNING), more: length - BEGINNING };
}
