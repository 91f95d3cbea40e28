import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { SchemaError } from "../schema-error.ts";
import type { ZipEntry } from "./zip-archive.ts";

/** Lists of a sample that lie in pieces, each named by the index of its first item. */
const LISTS = ["messages", "events", "calls", "attachments"] as const;

const PART =
  /^(samples\/.+_epoch_\d+)\/(?:(sample|metadata|skeleton)|(messages|events|calls|attachments)\/(\d+|stats|uuids))\.json$/s;

interface Part {
  /** `samples/<id>_epoch_<epoch>` */
  folder: string;
  /** What it is a part of; null for what is made of the others and says nothing of its own. */
  of: "sample" | "metadata" | (typeof LISTS)[number] | null;
  /** Index of its first item. */
  start: number;
}

/** A sample in pieces, as recent versions of Inspect keep long ones. */
export interface ChunkedSample {
  folder: string;
  parts: (Part & { entry: ZipEntry })[];
}

/** The part of a sample that an entry is; null for an entry that is none. */
export function chunkedPart(name: string): Part | null {
  const found = PART.exec(name);
  if (found === null) return null;
  const [, folder, single, list, index] = found;
  if (single !== undefined) {
    return { folder: folder!, of: single === "skeleton" ? null : (single as "sample" | "metadata"), start: 0 };
  }
  const start = Number(index);
  return { folder: folder!, of: Number.isNaN(start) ? null : (list as (typeof LISTS)[number]), start };
}

/**
 * The sample as it would stand in one entry: its messages in their order, its attachments by their number.
 *
 * @throws SchemaError `bad_value` for pieces that are missing or are none
 */
export async function wholeSample(
  { parts }: ChunkedSample,
  jsonOf: (entry: ZipEntry) => Promise<unknown>,
): Promise<SourceObject> {
  const shell = parts.find(({ of }) => of === "sample");
  if (shell === undefined) throw unfit("It has pieces and no sample.json.");
  const value = await jsonOf(shell.entry);
  if (!isObject(value)) throw unfit("Its sample.json is no JSON object.");
  const { message_refs: refs, ...sample } = value;
  const metadata = parts.find(({ of }) => of === "metadata");
  const lists = new Map<string, unknown[]>();
  for (const of of LISTS) {
    const items: unknown[] = [];
    const pieces = parts.filter((part) => part.of === of).sort((a, b) => a.start - b.start);
    for (const { start, entry } of pieces) {
      const piece = await jsonOf(entry);
      if (start !== items.length) throw unfit(`Its ${of} ${items.length} to ${start - 1} are missing.`);
      if (!Array.isArray(piece)) throw unfit(`Its ${of} from ${start} on are no list.`);
      for (const item of piece) items.push(item);
    }
    lists.set(of, items);
  }
  const [messages, events, calls, attachments] = LISTS.map((of) => lists.get(of)!);
  return {
    ...sample,
    messages: referred(refs, messages!),
    events,
    events_data: { messages, calls },
    attachments: Object.fromEntries(attachments!.entries()),
    ...(metadata === undefined ? {} : { metadata: await jsonOf(metadata.entry) }),
  };
}

/** The items of a list in the ranges `[start, end)` that refer to it. */
function referred(refs: unknown, list: readonly unknown[]): unknown[] {
  if (!Array.isArray(refs)) throw unfit("Its sample.json does not say which messages are its conversation.");
  return refs.flatMap((range) => {
    const [start, end] = Array.isArray(range) ? range : [];
    const isRange =
      Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= list.length;
    if (!isRange) throw unfit(`Its conversation names messages ${String(range)}, of ${list.length}.`);
    return list.slice(start, end);
  });
}

function unfit(what: string): SchemaError {
  return new SchemaError(
    "bad_value",
    what,
    "Fetch the log again, or write it as JSON (inspect log convert --to json).",
  );
}
