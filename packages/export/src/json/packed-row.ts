import { jsonText, type TextCounts } from "./json-text.ts";
import { parseJsonTree } from "./parse-json-tree.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A row that waits to be written: bytes take a tenth of the room of objects, and text that was put together is a tree. */
export type PackedRow = Uint8Array;

export function packRow(row: Record<string, unknown>, counts: TextCounts): PackedRow {
  return encoder.encode(jsonText(row, ",", counts));
}

/** The same row, with every digit and its keys in order. */
export function unpackRow(packed: PackedRow): Record<string, unknown> {
  return parseJsonTree(decoder.decode(packed)) as Record<string, unknown>;
}

/** The same text in one piece. */
export function flatText(text: string): string {
  return decoder.decode(encoder.encode(text));
}
