import { codePointLength, cutCodePoints } from "@while/schema";

/** What stands behind a text that was cut; the number is what is missing. */
const MARKER = /\n\[\.\.\. (\d{1,15}) chars of tool output truncated\]$/;

/**
 * A tool's output cut to its first `cap` code points, with a marker behind it that says how many were cut: a model
 * trained on a silent cut learns that outputs end in the middle. The marker stands on top of the cap, so that a text
 * barely over it grows. A text that was cut before is cut as the whole would be, so that cutting twice is cutting once.
 *
 * @returns The text and the code points that it lacks; 0 when it was short enough
 */
export function capToolOutput(text: string, cap: number): { text: string; cut: number } {
  const marker = MARKER.exec(text);
  const before = marker === null ? 0 : Number(marker[1]);
  const kept = marker === null ? text : text.slice(0, marker.index);
  const over = kept.length <= cap ? 0 : Math.max(0, codePointLength(kept) - cap);
  if (over === 0) return { text, cut: before };
  const cut = over + before;
  return { text: `${cutCodePoints(kept, cap)}\n[... ${cut} chars of tool output truncated]`, cut };
}
