import { checkOptions, isObject, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { checkMarkerRules, type MarkerRules } from "./marker-rules.ts";
import { type PhraseTable, phraseMarkers } from "./phrase-families.ts";
import { hitsIn, type PhraseHit, type PhraseSearch, phraseSearch } from "./phrase-hits.ts";
import { saidText } from "./said-text.ts";
import { withMarkers } from "./with-markers.ts";

export interface StyleMarkersOptions {
  /** Phrases of one's own by marker, over the stock ones. */
  phrases?: PhraseTable;
  rules?: MarkerRules;
  /** Markers to stamp; all when left out. */
  names?: readonly string[];
  /** Write on the rows given instead of on copies, as the Python SDK does. */
  inPlace?: boolean;
}

/**
 * Stamps, for each habit of speech, 1 where no phrase of it is in the agent's text and 0 where one is. Other markers
 * stay. A reply in a language whose phrases are not known, and a row in which the agent says nothing, get no marker of
 * the stock lists by `v2`: what was not read is not clean.
 *
 * @returns New rows, or those given with `inPlace`
 * @throws TrustError `bad_option`
 */
export function styleMarkers(rows: readonly Row[], options: StyleMarkersOptions = {}): Row[] {
  checkOptions(
    options,
    ["phrases", "rules", "names", "inPlace"],
    (what, fix) => new TrustError("bad_option", what, fix),
  );
  const { phrases, rules = "v2", names, inPlace = false } = options;
  const read = styleReader(rules, phrases);
  checkNames(names ?? [], rules, phrases);
  return rows.map((row) => {
    if (!isObject(row)) return row;
    const { hits } = read(row);
    const markers: Record<string, number> = {};
    for (const [marker, found] of hits) {
      if (names === undefined || names.includes(marker)) markers[marker] = found.length > 0 ? 0 : 1;
    }
    return withMarkers(row, markers, inPlace);
  });
}

function checkNames(names: readonly string[], rules: MarkerRules, phrases?: PhraseTable): void {
  const known = phraseMarkers(rules, phrases).map(({ marker }) => marker);
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  throw new TrustError("bad_option", `There is no style marker ${stranger}.`, `The markers are ${known.join(", ")}.`);
}

/** What was found in a row. A marker that could not be read there is absent. */
export interface StyleReading {
  language: string;
  /** Whether the agent said anything. */
  spoke: boolean;
  hits: Map<string, PhraseHit[]>;
}

/** Reads rows for the markers of a table; made once for many rows. */
export function styleReader(rules: MarkerRules, phrases?: PhraseTable): (row: Row) => StyleReading {
  checkMarkerRules(rules);
  const searches: (readonly [marker: string, english: boolean, search: PhraseSearch])[] = phraseMarkers(
    rules,
    phrases,
  ).map(({ marker, english, phrases: list }) => [marker, english, phraseSearch(checked(marker, list), rules)]);
  return (row) => {
    const said = saidText(row, rules);
    const spoke = rules === "v1" || said.parts.length > 0;
    const hits = new Map<string, PhraseHit[]>();
    for (const [marker, english, search] of searches) {
      if (!spoke || (english && said.language !== "en")) continue;
      hits.set(marker, hitsIn(said, search));
    }
    return { language: said.language, spoke, hits };
  };
}

/** An empty phrase is in every text, and a list of none in no text. */
function checked<Item>(marker: string, phrases: readonly Item[]): readonly Item[] {
  const isBlank = (phrase: Item) =>
    (typeof phrase === "string" ? phrase : ((phrase as { words?: string }).words ?? "")).trim() === "";
  if (Array.isArray(phrases) && phrases.length > 0 && !phrases.some(isBlank)) return phrases;
  throw new TrustError(
    "bad_option",
    `The marker ${marker} was given ${Array.isArray(phrases) && phrases.length > 0 ? "a blank phrase" : "no phrases"}.`,
    "Give it phrases that a reply can hold.",
  );
}
