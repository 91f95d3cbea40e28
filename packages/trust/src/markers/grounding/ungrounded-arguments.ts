import { isObject, type Row } from "@while/schema";
import { GROUNDING_MARKER } from "../marker-families.ts";
import { withMarkers } from "../with-markers.ts";
import { type ArgumentSource, type GroundingOptions, groundingReader } from "./ground-arguments.ts";

/** An argument that nothing the agent was told explains. */
export interface UngroundedArgument {
  tool: string;
  key: string;
  value: string | number;
  /** Later uses of the same value; present when there are any. */
  repeats?: number;
}

/**
 * The arguments of a row's calls that stand neither in the prompt, nor in what users and systems said before, nor in an
 * earlier result: made up. By `v2` a date, time, amount, phone number, place or name counts in any spelling, numbers
 * that name a thing are checked too, and texts of the agent's own (commands, reasons, searches) are not.
 *
 * @throws TrustError `bad_option`
 */
export function ungroundedArguments(row: Row, options: GroundingOptions = {}): UngroundedArgument[] {
  return ungroundedOf(groundingReader(options)(row).checked);
}

export function ungroundedOf(checked: readonly ArgumentSource[]): UngroundedArgument[] {
  return checked
    .filter(({ grounded }) => grounded === null)
    .map(({ tool, key, value, repeats }) => (repeats === 0 ? { tool, key, value } : { tool, key, value, repeats }));
}

/**
 * Every checked argument of a row, and where its value comes from: an id that stands only in another customer's record
 * is grounded and still wrong.
 *
 * @throws TrustError `bad_option`
 */
export function argumentSources(row: Row, options: GroundingOptions = {}): ArgumentSource[] {
  return groundingReader(options)(row).checked;
}

/** 1 when every argument is grounded, and for a row without calls; else 0. @throws TrustError `bad_option` */
export function argumentGrounding(row: Row, options: GroundingOptions = {}): 0 | 1 {
  return ungroundedArguments(row, options).length === 0 ? 1 : 0;
}

/** New rows with `markers.argument_grounding`; other markers stay. @throws TrustError `bad_option` */
export function markGrounding(rows: readonly Row[], options: GroundingOptions = {}): Row[] {
  const read = groundingReader(options);
  return rows.map((row) => {
    if (!isObject(row)) return row;
    return withMarkers(row, { [GROUNDING_MARKER]: ungroundedOf(read(row).checked).length === 0 ? 1 : 0 });
  });
}
