import { traceMarkersOf } from "../flags/trace-marker-table.ts";
import type { MarkerRules } from "./marker-rules.ts";
import { STYLE_MARKERS } from "./phrase-families.ts";

/** The marker that `markGrounding` stamps. */
export const GROUNDING_MARKER = "argument_grounding";

/** A call of another family, and what it would stamp. */
export interface NotStamped {
  call: string;
  markers: string[];
}

/** The families' calls and markers, of those that were not stamped here; a call with none is left out. */
export function notStamped(stamped: Iterable<string>, rules: MarkerRules, own: string): NotStamped[] {
  const here = new Set(stamped);
  const families: readonly (readonly [call: string, markers: readonly string[]])[] = [
    ["traceMarkers", [...traceMarkersOf(rules).keys()]],
    ["markGrounding", [GROUNDING_MARKER]],
    ["styleMarkers", [...STYLE_MARKERS.keys()]],
  ];
  return families.flatMap(([call, markers]) => {
    const rest = markers.filter((marker) => !here.has(marker));
    return call === own || rest.length === 0 ? [] : [{ call, markers: rest }];
  });
}

/** What a reader of one family's report has to know of the others. */
export function notStampedLine(families: readonly NotStamped[]): string[] {
  if (families.length === 0) return [];
  const n = families.reduce((sum, { markers }) => sum + markers.length, 0);
  const calls = families.map(({ call, markers }) => `${call}(rows) stamps ${markers.join(", ")}`).join("; ");
  return [
    `not stamped here: ${n} ${n === 1 ? "marker" : "markers"} in other families. ${calls}. ` +
      "Rows that look clean here may still hold faked work or made-up arguments.",
  ];
}
