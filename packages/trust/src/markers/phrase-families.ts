import { APOLOGY } from "./families/apology.ts";
import { BOILERPLATE } from "./families/boilerplate.ts";
import { HEDGING } from "./families/hedging.ts";
import type { PhraseFamily } from "./families/phrase-family.ts";
import { REFUSAL_FAMILY } from "./families/refusal.ts";
import { SYCOPHANCY } from "./families/sycophancy.ts";
import type { MarkerRules } from "./marker-rules.ts";
import type { Phrase } from "./phrase.ts";

/** The habits of speech that are looked for, in the order of every report. A new one is a file and a line here. */
export const PHRASE_FAMILIES: readonly PhraseFamily[] = [BOILERPLATE, HEDGING, APOLOGY, SYCOPHANCY, REFUSAL_FAMILY];

/** Marker to what the Python SDK looks for. */
export const STYLE_MARKERS: ReadonlyMap<string, readonly string[]> = new Map(
  PHRASE_FAMILIES.map(({ marker, v1 }) => [marker, v1]),
);

/** Marker to the name under which reports of shortcuts read it as 1 - value, so that 1 is present. */
export const STYLE_FEATURES: ReadonlyMap<string, string> = new Map(
  PHRASE_FAMILIES.flatMap(({ marker, feature }) => (feature === null ? [] : [[marker, feature] as const])),
);

/** What a reply that declines says, as the Python SDK lists it. */
export const REFUSAL: readonly string[] = REFUSAL_FAMILY.v1;

/** Phrases of one's own by marker: a known name replaces its list, a new one adds a marker. */
export type PhraseTable = Readonly<Record<string, readonly Phrase[]>>;

/** One marker and what puts it to 0. */
export interface PhraseMarker {
  marker: string;
  phrases: readonly Phrase[];
  /** The lists of this package are English; those of a caller are of whatever language they are. */
  english: boolean;
}

/** The markers of a table laid over the families. */
export function phraseMarkers(rules: MarkerRules, phrases: PhraseTable = {}): PhraseMarker[] {
  const own = new Map(Object.entries(phrases));
  const known = PHRASE_FAMILIES.map((family) => {
    const given = own.get(family.marker);
    own.delete(family.marker);
    return { marker: family.marker, phrases: given ?? family[rules], english: given === undefined };
  });
  return [...known, ...Array.from(own, ([marker, list]) => ({ marker, phrases: list, english: false }))];
}

/** What a reward that pays for the absence of this marker teaches. */
export function ticOf(marker: string): string {
  const family = PHRASE_FAMILIES.find((known) => known.marker === marker);
  return family?.tic ?? (marker.startsWith("no_") ? marker.slice(3) : marker);
}
