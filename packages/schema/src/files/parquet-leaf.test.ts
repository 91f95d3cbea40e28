import type { ColumnMetaData, SchemaTree } from "hyparquet";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { compressors } from "hyparquet-compressors";
import { expect, test } from "vitest";
import { LeafColumn, type LeafEntries } from "./parquet-leaf.ts";
import type { ParquetPage } from "./parquet-pages.ts";

/** A page of a list: `first` begins a row, `next` goes on with it, and null is a list of nothing. */
type Value = { first: string | null } | { next: string };

function page(...values: Value[]): ParquetPage {
  const texts = values.map((value) => ("first" in value ? value.first : value.next));
  return {
    length: values.length,
    definition: Uint16Array.from(texts, (text) => (text === null ? 0 : 1)),
    repetition: Uint16Array.from(values, (value) => ("first" in value ? 0 : 1)),
    values: texts.filter((text) => text !== null),
  };
}

function column(...pages: ParquetPage[]): LeafColumn {
  const element = { name: "tags", type: "BYTE_ARRAY", repetition_type: "REPEATED" } as const;
  const tree: SchemaTree = { element, children: [], count: 1, path: ["tags"] };
  const meta: ColumnMetaData = {
    ...{ type: "BYTE_ARRAY", encodings: [], path_in_schema: ["tags"], codec: "UNCOMPRESSED" },
    ...{ num_values: 0n, total_uncompressed_size: 0n, total_compressed_size: 0n, data_page_offset: 0n },
  };
  async function* all(): AsyncGenerator<ParquetPage> {
    yield* pages;
  }
  return new LeafColumn(
    {
      ...{ meta, element, schemaPath: [tree] },
      ...{ parsers: DEFAULT_PARSERS, compressors, maxDefinition: 1, maxRepetition: 1 },
    },
    all(),
  );
}

/** The lists that entries stand for. */
function lists({ definition, repetition, values }: LeafEntries): unknown[][] {
  const found: unknown[][] = [];
  let at = 0;
  for (const [i, depth] of definition.entries()) {
    if (repetition[i] === 0) found.push([]);
    if (depth === 1) found.at(-1)!.push(values[at++]);
  }
  return found;
}

/** Cut inside a row, and with a page of nothing but the rest of one: older writers make pages of so many bytes. */
const cut = () =>
  column(
    page({ first: "a" }, { next: "b" }, { first: null }, { first: "c" }),
    page({ next: "d" }),
    page({ next: "e" }, { first: "f" }),
    page({ first: "g" }),
  );

test.each([[[5]], [[1, 1, 1, 1, 1]], [[2, 3]], [[3, 2]], [[4, 1]]])(
  "a row that goes on over pages is one row, read in pieces of %j",
  async (sizes) => {
    const tags = cut();
    const found: unknown[][] = [];
    for (const size of sizes) found.push(...lists(await tags.take(size)));
    expect(found).toEqual([["a", "b"], [], ["c", "d", "e"], ["f"], ["g"]]);
  },
);

test("a column that ends too early, or begins in the middle of something, is refused by its name", async () => {
  const tags = cut();
  await tags.take(4);
  await expect(tags.take(2)).rejects.toThrow('its column "tags" ends before row 6 of its group');
  await expect(column(page({ next: "a" })).take(1)).rejects.toThrow('its column "tags" begins inside a row');
});
