import { codePointLength, cutCodePoints } from "@while/schema";

/** What is kept of an output that is too long: its beginning, its end, or a half of the room for each. */
export const TOOL_OUTPUT_KEEPS = ["head", "tail", "ends"] as const;

export type ToolOutputKeep = (typeof TOOL_OUTPUT_KEEPS)[number];

/** What stands where a text was cut; the number is what is missing. */
const MARKER = /\[\.\.\. (\d{1,15}) chars of tool output truncated\]/;
const MARKERS: Readonly<Record<ToolOutputKeep, RegExp>> = {
  head: new RegExp(`\\n${MARKER.source}$`),
  tail: new RegExp(`^${MARKER.source}\\n`),
  ends: new RegExp(`\\n${MARKER.source}\\n`),
};

/**
 * A tool's output cut to `cap` code points, with a marker where it was cut that says how many are missing: a model
 * trained on a silent cut learns that outputs end in the middle. Errors and totals stand at the end, which `tail` and
 * `ends` keep. The marker stands on top of the cap, so that a text barely over it grows. A text that was cut before is
 * cut as the whole would be, so that cutting twice is cutting once.
 *
 * @returns The text and the code points that it lacks; 0 when it was short enough
 */
export function capToolOutput(text: string, cap: number, keep: ToolOutputKeep = "head"): { text: string; cut: number } {
  const marker = MARKERS[keep].exec(text);
  const before = marker === null ? 0 : Number(marker[1]);
  const kept = marker === null ? text : text.slice(0, marker.index) + text.slice(marker.index + marker[0].length);
  const over = kept.length <= cap ? 0 : Math.max(0, codePointLength(kept) - cap);
  if (over === 0) return { text, cut: before };
  const cut = over + before;
  const said = `[... ${cut} chars of tool output truncated]`;
  const nHead = keep === "head" ? cap : keep === "tail" ? 0 : Math.ceil(cap / 2);
  const head = cutCodePoints(kept, nHead);
  // Behind what is left out, which begins where so many code points of the text end.
  const tail = kept.slice(cutCodePoints(kept, nHead + over).length);
  if (keep === "head") return { text: `${head}\n${said}`, cut };
  return { text: keep === "tail" ? `${said}\n${tail}` : `${head}\n${said}\n${tail}`, cut };
}
