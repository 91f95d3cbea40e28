import type { ColumnMetaData, Compressors, SchemaElement, SchemaTree } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { convert } from "hyparquet/src/convert.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { readRuns } from "./rle-runs.ts";
import { thriftEnd } from "./thrift-end.ts";

/** How a column's values lie in the file and what they are, in the words of the library. */
export interface ColumnDecoder {
  meta: ColumnMetaData;
  element: SchemaElement;
  /** From the root to the column. */
  schemaPath: SchemaTree[];
  parsers: Parameters<typeof convert>[1]["parsers"];
  compressors: Compressors;
  /** Optional and repeated levels around a value that is there. */
  maxDefinition: number;
  /** Lists around a value. */
  maxRepetition: number;
}

/** A page, unpacked. */
export interface ParquetPage {
  /** Values with the nulls. */
  length: number;
  /** How much of the way to each value is there; null where all of it always is. */
  definition: Uint16Array | null;
  /** In which list each value is a further one, 0 for the first of a row; null without lists. */
  repetition: Uint16Array | null;
  /** Those that are not null. */
  values: Values;
}

type Values = ReturnType<typeof convert>;
type PageHeader = ReturnType<typeof parquetHeader>;
type Read = (start: number, end: number) => Promise<ArrayBuffer>;

/** Asked for at a time; a page's header is some dozen bytes, or more where it carries statistics of long texts. */
const HEADER_BYTES = 2 ** 12;

const MAX_HEADER_BYTES = 2 ** 24;

/**
 * The pages of a column of a row group, from header to header: at any time one of them is unpacked.
 *
 * @throws Error for what cannot be a page, in a few words behind "is damaged Parquet:"
 */
export async function* columnPages(decoder: ColumnDecoder, read: Read): AsyncGenerator<ParquetPage> {
  const { meta } = decoder;
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const end = start + Number(meta.total_compressed_size);
  let dictionary: Values | null = null;
  let nLeft = Number(meta.num_values);
  for (let at = start; at < end; ) {
    const { header, length } = await headerAt(at, end, read);
    const packed = new Uint8Array(await read(at + length, at + length + header.compressed_page_size));
    at += length + header.compressed_page_size;
    const data = header.data_page_header_v2 ?? header.data_page_header;
    if (header.dictionary_page_header !== undefined) {
      const bytes = unpacked(packed, header.uncompressed_page_size, decoder);
      dictionary = plain(bytes, header.dictionary_page_header.num_values, decoder);
    } else if (data !== undefined) {
      nLeft -= data.num_values;
      if (!(data.num_values >= 0 && nLeft >= 0)) {
        throw new Error(`a column of ${meta.num_values} values has a page with ${data.num_values} of them`);
      }
      yield page(header, packed, { decoder, dictionary });
    }
  }
}

async function headerAt(at: number, end: number, read: Read): Promise<{ header: PageHeader; length: number }> {
  for (let wanted = HEADER_BYTES; ; wanted *= 8) {
    const view = new DataView(await read(at, Math.min(end, at + wanted)));
    const reader = { view, offset: 0 };
    try {
      thriftEnd(view, 0);
      const header = parquetHeader(reader);
      if (!(header.compressed_page_size >= 0 && header.uncompressed_page_size >= 0)) {
        throw new Error("a page has no size");
      }
      return { header, length: reader.offset };
    } catch (error) {
      if (!(error instanceof RangeError) || at + wanted >= end || wanted >= MAX_HEADER_BYTES) throw error;
    }
  }
}

function page(
  header: PageHeader,
  packed: Uint8Array,
  { decoder, dictionary }: { decoder: ColumnDecoder; dictionary: Values | null },
): ParquetPage {
  const { maxDefinition, maxRepetition } = decoder;
  const { data_page_header: first, data_page_header_v2: second } = header;
  let bytes: Uint8Array;
  let at = 0;
  let levels: (max: number, length: number | undefined) => Uint16Array | null;
  const { num_values: length, encoding } = (second ?? first)!;
  if (second === undefined) {
    bytes = unpacked(packed, header.uncompressed_page_size, decoder);
    levels = (max) => {
      if (max === 0) return null;
      const size = uint32(bytes, at);
      return levelsAt(bytes, at + 4, size, max);
    };
  } else {
    bytes = packed;
    levels = (max, size) => levelsAt(bytes, at, size!, max);
  }
  function levelsAt(from: Uint8Array, start: number, size: number, max: number): Uint16Array | null {
    at = start + size;
    if (max === 0) return null;
    const out = new Uint16Array(length);
    readRuns(from, { start, end: at, width: bitsOf(max), out });
    return out;
  }
  const repetition = levels(maxRepetition, second?.repetition_levels_byte_length);
  const definition = levels(maxDefinition, second?.definition_levels_byte_length);
  let rest = bytes.subarray(at);
  if (second !== undefined && second.is_compressed !== false) {
    rest = unpacked(rest, header.uncompressed_page_size - at, decoder);
  }
  const nValues = definition === null ? length : countOf(definition, maxDefinition);
  return { length, definition, repetition, values: valuesOf(rest, nValues, encoding, { decoder, dictionary }) };
}

function unpacked(packed: Uint8Array, length: number, { meta, compressors }: ColumnDecoder): Uint8Array {
  return decompressPage(packed, length, meta.codec, compressors);
}

function valuesOf(
  bytes: Uint8Array,
  count: number,
  encoding: string,
  { decoder, dictionary }: { decoder: ColumnDecoder; dictionary: Values | null },
): Values {
  const { type } = decoder.meta;
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  switch (encoding) {
    case "PLAIN":
      return plain(bytes, count, decoder);
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY":
      return looked(bytes, count, dictionary);
    case "RLE": {
      const out = new Uint16Array(count);
      if (count > 0) readRuns(bytes, { start: 4, end: 4 + uint32(bytes, 0), width: 1, out });
      return Array.from(out, (bit) => bit === 1);
    }
    case "DELTA_BINARY_PACKED": {
      const out = new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, out);
      // DuckDB takes the differences of unsigned numbers with more than the 32 bits that they have.
      return converted(type === "INT32" ? Int32Array.from(out, Number) : out, decoder);
    }
    case "DELTA_LENGTH_BYTE_ARRAY":
    case "DELTA_BYTE_ARRAY": {
      const out = new Array<Uint8Array>(count);
      (encoding === "DELTA_BYTE_ARRAY" ? deltaByteArray : deltaLengthByteArray)(reader, count, out);
      return converted(out, decoder);
    }
    case "BYTE_STREAM_SPLIT":
      return converted(byteStreamSplit(reader, count, type, decoder.element.type_length), decoder);
    default:
      throw new Error(`a page is encoded as ${encoding}`);
  }
}

function plain(bytes: Uint8Array, count: number, decoder: ColumnDecoder): Values {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  return converted(readPlain(reader, decoder.meta.type, count, decoder.element.type_length), decoder);
}

/** The values at the places of a dictionary, of which a page is a list. */
function looked(bytes: Uint8Array, count: number, dictionary: Values | null): Values {
  if (count === 0) return [];
  if (dictionary === null) throw new Error("a page has no dictionary");
  const places = new Uint32Array(count);
  readRuns(bytes, { start: 1, end: bytes.length, width: bytes[0] ?? 0, out: places });
  return Array.from(places, (place) => {
    if (place >= dictionary.length) throw new Error("a page points beyond its dictionary");
    return dictionary[place];
  });
}

function converted(values: Values, { meta, element, schemaPath, parsers }: ColumnDecoder): Values {
  const { path_in_schema: pathInSchema, type, codec } = meta;
  return convert(values, { pathInSchema, type, codec, element, schemaPath, parsers, utf8: false });
}

function countOf(levels: Uint16Array, level: number): number {
  let count = 0;
  for (const one of levels) if (one === level) count++;
  return count;
}

function bitsOf(max: number): number {
  return 32 - Math.clz32(max);
}

function uint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
}
