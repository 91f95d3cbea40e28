import type { ColumnMetaData, FileMetaData } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { thriftEnd } from "./thrift-end.ts";

/** Where a page of a column lies, in the words of the library, and of the index that few writers write. */
export interface PageLocation {
  offset: bigint;
  compressed_page_size: number;
  first_row_index: bigint;
}

/** Asked for at a time; a page's header is some dozen bytes, or more where it carries statistics of long texts. */
const HEADER_BYTES = 2 ** 12;

const MAX_HEADER_BYTES = 2 ** 24;

/**
 * The pages of the flat columns of a row group, found by going from header to header: then a slice of its rows is
 * read from a few pages, and not from all of them.
 *
 * @param isFlat Whether a column, by its name, has one value a row
 * @returns By the path of each column
 */
export async function pagesOf(
  group: FileMetaData["row_groups"][number],
  isFlat: (name: string) => boolean,
  read: (start: number, end: number) => Promise<ArrayBuffer>,
): Promise<Record<string, PageLocation[]>> {
  const pages: Record<string, PageLocation[]> = {};
  for (const { meta_data: meta } of group.columns) {
    const [name, ...inner] = meta?.path_in_schema ?? [];
    if (meta === undefined || name === undefined || inner.length > 0 || !isFlat(name)) continue;
    pages[name] = await pagesOfColumn(meta, read);
  }
  return pages;
}

/**
 * Goes from header to header of every column of a row group, so that the library is led nowhere by a damaged one.
 *
 * @throws Error for a header that cannot be one
 */
export async function checkPages(
  group: FileMetaData["row_groups"][number],
  read: (start: number, end: number) => Promise<ArrayBuffer>,
): Promise<void> {
  for (const { meta_data: meta } of group.columns) if (meta !== undefined) await pagesOfColumn(meta, read);
}

async function pagesOfColumn(
  meta: ColumnMetaData,
  read: (start: number, end: number) => Promise<ArrayBuffer>,
): Promise<PageLocation[]> {
  const pages: PageLocation[] = [];
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const end = start + Number(meta.total_compressed_size);
  let row = 0;
  for (let at = start; at < end; ) {
    const { header, length } = await headerAt(at, end, read);
    const size = length + header.compressed_page_size;
    const data = header.data_page_header_v2 ?? header.data_page_header;
    if (data !== undefined) {
      pages.push({ offset: BigInt(at), compressed_page_size: size, first_row_index: BigInt(row) });
      // A flat column has a value a row.
      row += data.num_values;
    }
    at += size;
  }
  return pages;
}

async function headerAt(
  at: number,
  end: number,
  read: (start: number, end: number) => Promise<ArrayBuffer>,
): Promise<{ header: ReturnType<typeof parquetHeader>; length: number }> {
  for (let wanted = HEADER_BYTES; ; wanted *= 8) {
    const view = new DataView(await read(at, Math.min(end, at + wanted)));
    const reader = { view, offset: 0 };
    try {
      thriftEnd(view, 0);
      const header = parquetHeader(reader);
      if (!(header.compressed_page_size >= 0)) throw new Error("a page has no size");
      return { header, length: reader.offset };
    } catch (error) {
      if (!(error instanceof RangeError) || at + wanted >= end || wanted >= MAX_HEADER_BYTES) throw error;
    }
  }
}
