import { checkOptions, isObject, type Row } from "@while/schema";
import type { Warning } from "@while/stats";
import { counted } from "../counted.ts";
import { LIE_MARKERS } from "../flags/trace-marker-table.ts";
import { traceMarkers } from "../flags/trace-markers.ts";
import { TrustError } from "../trust-error.ts";
import { markGrounding } from "./grounding/ungrounded-arguments.ts";
import { leakMarkers } from "./leak-markers.ts";
import { checkMarkerRules, type MarkerRules } from "./marker-rules.ts";
import type { PhraseTable } from "./phrase-families.ts";
import { styleMarkers } from "./style-markers.ts";

/** In the order in which they are stamped; of two that write one name, the later stands. */
export const STAMPED_FAMILIES = ["trace", "grounding", "leak", "style"] as const;
export type StampedFamily = (typeof STAMPED_FAMILIES)[number];

export interface StampMarkersOptions {
  /** All when left out. */
  families?: readonly StampedFamily[];
  /** Phrases of one's own for the style family, by marker. */
  phrases?: PhraseTable;
  rules?: MarkerRules;
}

/** What one marker came to. */
export interface StampedMarker {
  marker: string;
  family: StampedFamily;
  /** Rows that have it now; the others could not be read for it. */
  n: number;
  /** Of those, rows on which it is not 1. */
  raised: number;
  /** Rows on which another value stood under this name. */
  overwritten: number;
}

export interface StampReport {
  nRows: number;
  nNotRows: number;
  rules: MarkerRules;
  /** In the order in which they were stamped; the same name from two families is there twice. */
  markers: StampedMarker[];
  warnings: Warning<"overwritten">[];
}

type Stamp = (rows: readonly Row[]) => Row[];

/**
 * The markers of all families at once: what the agent did, whether its arguments are made up, whether it quotes what it
 * was not shown, and how it speaks. Markers of one's own stay. A name that was taken with another value is overwritten,
 * and said once for each family: no reader can tell who wrote a value, and two meanings under one name are compared as one.
 *
 * @returns New rows; entries that are no objects are left out and counted
 * @throws TrustError `bad_option`
 */
export function stampMarkers(
  rows: readonly Row[],
  options: StampMarkersOptions = {},
): { rows: Row[]; report: StampReport } {
  checkOptions(options, ["families", "phrases", "rules"], (what, fix) => new TrustError("bad_option", what, fix));
  const { families = STAMPED_FAMILIES, phrases, rules = "v2" } = options;
  checkMarkerRules(rules);
  checkFamilies(families, phrases);
  const stamps: Readonly<Record<StampedFamily, Stamp>> = {
    trace: (given) => traceMarkers(given, { rules }),
    grounding: (given) => markGrounding(given, { rules }),
    leak: (given) => leakMarkers(given, { rules }),
    style: (given) => styleMarkers(given, { rules, ...(phrases === undefined ? {} : { phrases }) }),
  };
  const markers: StampedMarker[] = [];
  let out: Row[] = rows.filter((row) => isObject(row));
  const nRows = out.length;
  for (const family of STAMPED_FAMILIES) {
    if (!families.includes(family)) continue;
    // Stamped bare, so that what the family writes is told from what was there.
    const written = stamps[family](out.map(({ markers: _, ...bare }) => bare as Row));
    const counts = new Map<string, StampedMarker>();
    out = out.map((row, i) => {
      const before = isObject(row.markers) ? (row.markers as Record<string, unknown>) : {};
      const own = (written[i]!.markers ?? {}) as Record<string, number>;
      for (const [marker, value] of Object.entries(own)) {
        const count = counts.get(marker) ?? { marker, family, n: 0, raised: 0, overwritten: 0 };
        counts.set(marker, count);
        count.n++;
        if (value !== 1) count.raised++;
        if (Object.hasOwn(before, marker) && before[marker] !== value) count.overwritten++;
      }
      const all = { ...before, ...own } as Record<string, number>;
      // Where the evidence cannot be seen an older stamp clears nobody either.
      if (family === "trace") for (const lie of LIE_MARKERS) if (!Object.hasOwn(own, lie)) delete all[lie];
      return { ...row, ...written[i]!, markers: all };
    });
    markers.push(...counts.values());
  }
  const warnings = STAMPED_FAMILIES.flatMap((family) => overwrittenBy(family, markers));
  return { rows: out, report: { nRows, nNotRows: rows.length - nRows, rules, markers, warnings } };
}

function overwrittenBy(family: StampedFamily, markers: readonly StampedMarker[]): Warning<"overwritten">[] {
  const own = markers.filter((marker) => marker.family === family && marker.overwritten > 0);
  if (own.length === 0) return [];
  const names = own.map(({ marker, overwritten }) => `${marker} on ${counted(overwritten, "row")}`).join(", ");
  const text = `${family} overwrote ${names}, where another value stood: an older stamp, or a marker of your own by the same name; rename that`;
  return [{ code: "overwritten", text }];
}

function checkFamilies(families: readonly StampedFamily[], phrases: PhraseTable | undefined): void {
  const known = STAMPED_FAMILIES.join(", ");
  const stranger = families.find((family) => !STAMPED_FAMILIES.includes(family));
  if (stranger !== undefined || families.length === 0) {
    const what = stranger === undefined ? "families is empty." : `There is no family ${JSON.stringify(stranger)}.`;
    throw new TrustError("bad_option", what, `The families are ${known}.`);
  }
  if (phrases === undefined || families.includes("style")) return;
  throw new TrustError("bad_option", "phrases were given without the family style.", "Add style, or leave them out.");
}
