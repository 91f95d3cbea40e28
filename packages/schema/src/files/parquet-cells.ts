import { isIdKey, type JsonNotes, parseJsonText, type UnsafeIntegers } from "../json/json-text.ts";
import type { ParquetField, ParquetNode } from "./parquet-slices.ts";

export interface CellNotes {
  /** Counted into, as for JSON. */
  notes: JsonNotes;
  unsafeIntegers: UnsafeIntegers;
  /** Bytes that are no text, written as base64: how many, and the path of the first. */
  binary: number;
  binaryPath: string | null;
}

/**
 * A value of a Parquet column as JSON: dates as ISO text with all their digits, decimals as numbers, integers and ids
 * by the rules of JSON texts, bytes as text where they are UTF-8 and else as base64. A null field of a struct is
 * absent: writers fill the fields that a record has not, so that null says no more.
 *
 * @param key The innermost name around the value, for ids
 * @returns undefined for null
 */
export function cellValue(value: unknown, node: ParquetNode, key: string, notes: CellNotes): unknown {
  if (value === null || value === undefined) return undefined;
  switch (node.kind) {
    case "list":
      return Array.isArray(value)
        ? value.map((item) => cellValue(item, node.element, key, notes) ?? null)
        : plainValue(value, key, notes);
    case "struct":
      return structValue(value as Record<string, unknown>, node.fields, notes);
    case "map":
      return mapValue(value as Record<string, unknown>, node, notes);
    case "decimal":
      return decimalValue(value as Decimal, node.scale, key);
    case "date":
      return isoDate(BigInt(value as number) * DAY);
    case "time":
      return isoTime(BigInt(value as number), node.unit);
    case "timestamp":
      return isoTimestamp(BigInt(value as number), node);
    case "json":
      return jsonValue(value, notes);
    case "plain":
      return plainValue(value, key, notes);
  }
}

/** Puts a value under a key that may be `__proto__`. */
export function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[key] = value;
  }
}

function structValue(
  struct: Record<string, unknown>,
  fields: readonly ParquetField[],
  notes: CellNotes,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { name, key, node } of fields) {
    const value = cellValue(struct[key], node, name, notes);
    if (value !== undefined) put(object, name, value);
  }
  return object;
}

function mapValue(
  map: Record<string, unknown>,
  { entries, key, value }: Extract<ParquetNode, { kind: "map" }>,
  notes: CellNotes,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const pairs = map[entries];
  for (const pair of Array.isArray(pairs) ? (pairs as Record<string, unknown>[]) : []) {
    const name = String(cellValue(pair[key.key], key.node, key.name, notes) ?? "");
    put(object, name, cellValue(pair[value.key], value.node, name, notes) ?? null);
  }
  return object;
}

/** What has no annotation of its own, whatever it is. */
function plainValue(value: unknown, key: string, cell: CellNotes): unknown {
  const { notes } = cell;
  switch (typeof value) {
    case "bigint":
      return integerValue(value, key, cell);
    case "number":
      if (Number.isFinite(value)) return value;
      notes.nonFinite++;
      notes.nonFinitePath ??= key;
      return undefined;
    case "object":
      if (value instanceof Uint8Array) return bytesValue(value, key, cell);
      if (value instanceof Date) return value.toISOString();
      if (Array.isArray(value)) return value.map((item) => plainValue(item ?? undefined, key, cell) ?? null);
      if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>);
      return value === null ? undefined : objectValue(value as Record<string, unknown>, cell);
    default:
      return value;
  }
}

function objectValue(object: Record<string, unknown>, notes: CellNotes): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) put(plain, key, plainValue(value, key, notes) ?? null);
  return plain;
}

function integerValue(value: bigint, key: string, { notes, unsafeIntegers }: CellNotes): number | string {
  const number = Number(value);
  if (BigInt(number) === value) return number;
  notes.unsafeIntegers++;
  notes.unsafeIntegerPath ??= key;
  const keepsDigits = unsafeIntegers === "string" || (unsafeIntegers === "ids" && isIdKey(key));
  return keepsDigits ? String(value) : number;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function bytesValue(bytes: Uint8Array, key: string, notes: CellNotes): string {
  try {
    // Writers of older systems leave out that their bytes are text.
    const text = utf8.decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Then it is none.
  }
  notes.binary++;
  notes.binaryPath ??= key;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function jsonValue(value: unknown, { notes, unsafeIntegers }: CellNotes): unknown {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
  try {
    return parseJsonText(text, { notes, unsafeIntegers }) ?? undefined;
  } catch {
    return text; // Refused at the door where a list or an object has to stand.
  }
}

type Decimal = number | bigint | Uint8Array;

/** The nearest number, by way of the digits: 12345 of scale 2 is 123.45 and not 123.45000000000002. */
function decimalValue(value: Decimal, scale: number, key: string): number | string {
  const digits = value instanceof Uint8Array ? signedInteger(value) : BigInt(value);
  const sign = digits < 0n ? "-" : "";
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  const whole = text.slice(0, text.length - scale);
  const decimal = `${sign}${whole}${scale > 0 ? `.${text.slice(text.length - scale)}` : ""}`;
  return isIdKey(key) ? decimal : Number(decimal);
}

function signedInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  return bytes.length > 0 && bytes[0]! >= 0x80 ? value - 256n ** BigInt(bytes.length) : value;
}

type Unit = "MILLIS" | "MICROS" | "NANOS";

const PER_SECOND: Record<Unit, bigint> = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n };

const DAY = 86_400n;

/** `2026-01-02T03:04:05.123456Z`; without the Z where the file says that its clock has no zone. */
function isoTimestamp(value: bigint, { unit, isUtc }: { unit: Unit; isUtc: boolean }): string {
  const seconds = floorDiv(value, PER_SECOND[unit]);
  const time = isoTime(value - floorDiv(seconds, DAY) * DAY * PER_SECOND[unit], unit);
  return `${isoDate(floorDiv(seconds, DAY) * DAY)}T${time}${isUtc ? "Z" : ""}`;
}

function isoDate(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000);
  // A date that no calendar of this language reaches is a number of days.
  if (Number.isNaN(date.getTime())) return String(seconds / DAY);
  return date.toISOString().replace(/T.*/, "");
}

/** `03:04:05` and the fraction that is not 0. */
function isoTime(value: bigint, unit: Unit): string {
  const perSecond = PER_SECOND[unit];
  const seconds = value / perSecond;
  const two = (part: bigint) => String(part).padStart(2, "0");
  const fraction = String(value % perSecond).padStart(String(perSecond).length - 1, "0");
  const shown = /^0+$/.test(fraction) ? "" : `.${fraction}`;
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${shown}`;
}

function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
