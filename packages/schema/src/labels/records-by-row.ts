import { textOf } from "../text/text-of.ts";
import { kindName } from "./gold-kind.ts";
import type { LabelMatch } from "./resolve-labels.ts";

/** Who gave a label or a mark, what gave it, when, and what was said with it. */
interface Given {
  annotator: string;
  kind: string;
  ts?: number;
  note?: string;
}

interface RecordsByRow<Kept> {
  /** By the place of the row: what it had before, and what was given now. */
  recordsOf: Map<number, Kept[]>;
  annotators: Set<string>;
  /** Records that do not say what gave them, where nobody says it for them. */
  nAssumed: number;
}

/** What was given of each row, behind what it had, in the order it was given. */
export function recordsByRow<Value, Kept>(
  matches: readonly LabelMatch<Value>[],
  { annotator, kind, now }: { annotator?: string | undefined; kind?: string | undefined; now?: number | undefined },
  before: (row: number) => readonly Kept[],
  kept: (value: Value, given: Given) => Kept,
): RecordsByRow<Kept> {
  const recordsOf = new Map<number, Kept[]>();
  const annotators = new Set<string>();
  let nAssumed = 0;
  for (const { row, value, record } of matches) {
    const list = recordsOf.get(row) ?? [...before(row)];
    if (textOf(record.kind) === "" && kind === undefined) nAssumed++;
    const ts = typeof record.ts === "number" ? record.ts : (now ?? null);
    const by = textOf(record.annotator) || annotator || "unknown";
    const note = textOf(record.note);
    annotators.add(by);
    list.push(
      kept(value, {
        annotator: by,
        kind: kindName(textOf(record.kind) || kind || "human"),
        ...(ts === null ? {} : { ts }),
        ...(note === "" ? {} : { note }),
      }),
    );
    recordsOf.set(row, list);
  }
  return { recordsOf, annotators, nAssumed };
}
