import { expect, test } from "vitest";
import { readUpload } from "./read-upload.ts";

async function* bytes(...texts: string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}

const SPACED =
  '{"scenario_id": "s1", "prompt": "caf\\u00e9", "reward": 1}\n{"scenario_id": "s2", "prompt": "b", "reward": 0}\n';
const COMPACT = '{"reward":1,"prompt":"café","scenario_id":"s1"}\n{"scenario_id":"s2","prompt":"b","reward":0}';
const ROWS_DIGEST = "c57cfb22a4096a7e5005cccc533592ec35e46bf3259470f60f50d71fc6bd4d53";

test.each([
  ["as Python spells them", [SPACED]],
  ["compact, in another order of keys, without a last line end", [COMPACT]],
  ["cut anywhere on the way", [...COMPACT].map(String)],
])("the digest of rows is that of their content: %s", async (_, texts) => {
  expect(await readUpload([bytes(...texts)])).toMatchObject({
    rows: 2,
    tasks: 2,
    rowsDigest: ROWS_DIGEST,
    badLines: 0,
  });
});

test("parts are read one after the other", async () => {
  const [first, second] = COMPACT.split("\n") as [string, string];
  expect(await readUpload([bytes(first), bytes(second)])).toMatchObject({ rows: 2, rowsDigest: ROWS_DIGEST });
});

test("bad lines are counted and the first is named; the rows around them stay", async () => {
  const read = await readUpload([bytes('{"a":1}\n\nnot json\n[1]\n{"b":2}\n')]);
  expect(read).toMatchObject({ rows: 2, badLines: 2, firstBad: { line: 3 } });
  expect(read.firstBad?.why).toContain("where a value should stand");
});

test("bare NaN is null, as in Python's files", async () => {
  expect((await readUpload([bytes('{"task_id":"a","reward":NaN}\n')])).profile).toMatchObject({ rows: 1, graded: 0 });
});

test("no rows are a set of no rows", async () => {
  expect(await readUpload([bytes("")])).toMatchObject({ rows: 0, tasks: 0, badLines: 0, sample: [] });
});

test("bytes that are no text are a bad line", async () => {
  async function* broken() {
    yield Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d);
  }
  expect(await readUpload([broken()])).toMatchObject({ badLines: 1, firstBad: { line: 1, why: "is not UTF-8" } });
});
