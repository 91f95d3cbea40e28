import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";

/** What is known of a log in an archive before a sample of it is read. The samples follow, each a record. */
export interface InspectArchiveHead {
  /** The log without its samples. */
  log: SourceObject;
  /** The scores of some samples, among them every scorer and every key of its values. */
  scored: Iterable<unknown>;
  /** Samples in the archive. */
  nSamples: number;
}

/** Whether a record is the beginning of an archive, which only the reader of archives makes. */
export function isArchiveHead(record: SourceObject | undefined): record is SourceObject & InspectArchiveHead {
  return record !== undefined && isObject(record.log) && Array.isArray(record.scored) && "nSamples" in record;
}
