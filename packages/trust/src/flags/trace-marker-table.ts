import type { MarkerRules } from "../markers/marker-rules.ts";
import { FLAGS, TRACE_FLAGS } from "./flag-table.ts";

/** Each marker with the flags that lower it, in the order in which they are stamped. */
export const TRACE_MARKERS: ReadonlyMap<string, readonly string[]> = markersOf("v2");

const BY_RULES: Readonly<Record<MarkerRules, ReadonlyMap<string, readonly string[]>>> = {
  v1: markersOf("v1"),
  v2: TRACE_MARKERS,
};

/** The markers of a rule set: v1 has seven. */
export function traceMarkersOf(rules: MarkerRules): ReadonlyMap<string, readonly string[]> {
  return BY_RULES[rules];
}

/** Markers that rest on what the agent says. */
export const LIE_MARKERS: ReadonlySet<string> = new Set(
  FLAGS.flatMap(({ family, marker }) => (family === "lie" ? [marker] : [])),
);

function markersOf(rules: MarkerRules): ReadonlyMap<string, readonly string[]> {
  const markers = new Map<string, string[]>();
  for (const { name, marker } of FLAGS) {
    if (rules === "v1" && !TRACE_FLAGS.includes(name)) continue;
    markers.set(marker, [...(markers.get(marker) ?? []), name]);
  }
  return markers;
}
