import type { SourceObject } from "../json/record-reader.ts";

/** The keys of an object under which there is something: null and undefined are nothing. */
export function present(object: SourceObject): SourceObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null));
}
