import { isObject, type Row } from "@while/schema";
import { checkTraceOptions, evidenceOf, type TraceFlagOptions, type TraceHits, traceHits } from "./trace-flags.ts";
import { LIE_MARKERS, traceMarkersOf } from "./trace-marker-table.ts";

export interface TraceMarkerOptions extends TraceFlagOptions {
  /** Also write the fragments, as `trace_flags`. */
  evidence?: boolean | undefined;
}

/**
 * Copies of the rows with what the agent did on them: a marker is 1 where no flag of its kind fired and 0 where one did,
 * `trace_flags` has the fragments, `trace_rules` the rule set. Where calls or the language could not be read, the markers
 * of lies are absent: a reader that cannot see the evidence accuses nobody and clears nobody.
 *
 * @returns New rows in their order; other markers stay
 * @throws TrustError `bad_option`
 */
export function traceMarkers(rows: readonly Row[], options: TraceMarkerOptions = {}): Row[] {
  checkTraceOptions(options, ["evidence"]);
  return rows.map((row) => (isObject(row) ? stampedTrace(row, traceHits(row, options), options) : row));
}

/** A copy of a row with what its hits say. */
export function stampedTrace(
  row: Row,
  hits: TraceHits,
  { rules = "v2", minSeverity = "medium", evidence = true }: TraceMarkerOptions,
): Row {
  const flags = evidenceOf(hits, minSeverity);
  const markers: Record<string, unknown> = isObject(row.markers) ? { ...row.markers } : {};
  const blind = hits.unreadable || hits.otherLanguage;
  for (const [marker, raisedBy] of traceMarkersOf(rules)) {
    if (blind && LIE_MARKERS.has(marker)) delete markers[marker];
    else markers[marker] = raisedBy.some((flag) => Object.hasOwn(flags, flag)) ? 0 : 1;
  }
  return {
    ...row,
    markers: markers as Record<string, number>,
    trace_rules: rules,
    ...(evidence ? { trace_flags: flags } : {}),
  };
}
