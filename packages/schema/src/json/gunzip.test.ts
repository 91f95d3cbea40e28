import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readRows } from "../readers/read-rows.ts";
import { gunzip } from "./gunzip.ts";

const text = '{"scenario_id":"s","prompt":"é😀"}\n';

test("packed bytes are unpacked, others stay, and the rows are the same", async () => {
  const plain = new TextEncoder().encode(text);
  expect(await gunzip(gzipSync(text))).toEqual(plain);
  expect(await gunzip(plain)).toBe(plain);
  expect(readRows(await gunzip(gzipSync(text))).rows).toEqual(readRows(text).rows);
});

test.each([
  ["cut", gzipSync(text).subarray(0, 20)],
  ["damaged", gzipSync(text).fill(0x55, 12, 20)],
])("gzip that is %s is refused", async (_, bytes) => {
  await expect(gunzip(bytes)).rejects.toMatchObject({ code: "bad_file" });
});
