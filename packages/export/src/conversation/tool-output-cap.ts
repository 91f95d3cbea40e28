import { codePointLength, cutCodePoints } from "@while/schema";

/**
 * A tool's output cut to its first `cap` code points, with a marker behind it that says how many were cut: a model
 * trained on a silent cut learns that outputs end in the middle. The marker stands on top of the cap, so that a text
 * barely over it grows.
 *
 * @returns The text and the code points cut; 0 when it was short enough
 */
export function capToolOutput(text: string, cap: number): { text: string; cut: number } {
  const cut = text.length <= cap ? 0 : codePointLength(text) - cap;
  if (cut <= 0) return { text, cut: 0 };
  return { text: `${cutCodePoints(text, cap)}\n[... ${cut} chars of tool output truncated]`, cut };
}
