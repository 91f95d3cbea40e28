import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_DOCUMENT_BYTES } from "./document-items.ts";
import { DocumentSplitter } from "./document-splitter.ts";

const decoder = new TextDecoder();

function split(text: string, sizes: readonly number[] = []) {
  const bytes = new TextEncoder().encode(text);
  const splitter = new DocumentSplitter();
  const items: { text: string; line: number }[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    for (const piece of splitter.push(bytes.slice(at, at + size))) {
      items.push({ text: decoder.decode(piece.bytes).trim(), line: piece.line });
    }
    at = Math.min(bytes.length, at + size);
  }
  for (const piece of splitter.end()) items.push({ text: decoder.decode(piece.bytes).trim(), line: piece.line });
  return { items, wrapper: decoder.decode(splitter.wrapper().bytes), isCut: splitter.isCut, hasList: splitter.hasList };
}

test.each([
  ['[{"a":1},{"a":[2,3]}]', ['{"a":1}', '{"a":[2,3]}'], "[]"],
  ["[]", [], "[]"],
  [" [ ] ", [], " [] "],
  ['[{"a":"],[\\""}]', ['{"a":"],[\\""}'], "[]"],
  ['{"n":1,"rows":[{"a":1}],"m":{"rows":[2]}}', ['{"a":1}'], '{"n":1,"rows":[],"m":{"rows":[2]}}'],
  ['{"m":{"data":[2]},"data":[1]}', ["1"], '{"m":{"data":[2]},"data":[]}'],
  ['{"text":"rows","trajectories":[1,2]}', ["1", "2"], '{"text":"rows","trajectories":[]}'],
  ['{"rows":[1],"data":[2]}', ["1"], '{"rows":[],"data":[2]}'],
  ['{"other":[1]}', [], '{"other":[1]}'],
])("%s", (text, items, wrapper) => {
  const found = split(text);
  expect(found.items.map((item) => item.text)).toEqual(items);
  expect(found.wrapper.replaceAll(/\s/g, "")).toBe(wrapper.replaceAll(/\s/g, ""));
  expect(found.isCut).toBe(false);
});

test("each item knows the line it begins on", () => {
  const found = split('{\n "rows": [\n  {\n   "a": 1\n  },\n\n  {"b": 2}\n ]\n}');
  expect(found.items.map(({ line }) => line)).toEqual([3, 7]);
});

test("a comma too many leaves an item with nothing in it, for the parser to refuse", () => {
  expect(split("[1,]").items).toHaveLength(2);
  expect(split("[,1]").items[0]!.text).toBe("");
});

test("a file that breaks off inside its list is cut, and hands on what there is of the last item", () => {
  expect(split('[{"a":1},{"a')).toMatchObject({ isCut: true, items: [{ text: '{"a":1}' }, { text: '{"a' }] });
  expect(split('{"rows":[{"a":1}')).toMatchObject({ isCut: true });
});

test("where a chunk ends does not matter", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const document = fc.tuple(fc.array(value), fc.boolean(), fc.constantFrom(0, 2));
  fc.assert(
    fc.property(document, fc.array(fc.integer({ min: 1, max: 9 })), ([list, isBare, indent], sizes) => {
      const text = JSON.stringify(isBare ? list : { before: list, rows: list, after: "rows" }, null, indent);
      const whole = split(text);
      expect(split(text, sizes)).toEqual(whole);
      expect(whole.items.map((item) => JSON.parse(item.text))).toEqual(JSON.parse(JSON.stringify(list)));
      expect(JSON.parse(whole.wrapper)).toEqual(
        isBare ? [] : JSON.parse(JSON.stringify({ before: list, rows: [], after: "rows" })),
      );
    }),
  );
});

test("a document without a list may be as long as 256 MiB, and is not kept beyond", () => {
  const piece = new TextEncoder().encode(" ".repeat(2 ** 20));
  const splitter = new DocumentSplitter();
  splitter.push(new TextEncoder().encode("{"));
  for (let i = 0; i < 65; i++) splitter.push(piece);
  expect(splitter.wrapper().tooLong).toBe(false);
  expect(splitter.wrapper().bytes).toHaveLength(65 * 2 ** 20 + 1);
  expect(MAX_DOCUMENT_BYTES).toBe(256 * 2 ** 20);
});
