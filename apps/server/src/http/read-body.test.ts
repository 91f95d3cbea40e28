import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { depthOf, parseJson, readText } from "./read-body.ts";

const request = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  new Request("http://x/", { method: "POST", body: body as string, headers });

test.each([
  ["plain", request("héllo"), "héllo"],
  ["gzip", request(gzipSync("héllo"), { "content-encoding": "gzip" }), "héllo"],
  ["nothing", new Request("http://x/", { method: "POST" }), ""],
])("a body is read: %s", async (_, asked, text) => expect(await readText(asked, 100)).toBe(text));

test.each([
  ["too long", request("x".repeat(101)), "too_large"],
  [
    "small as gzip and large unpacked",
    request(gzipSync("x".repeat(10_000)), { "content-encoding": "gzip" }),
    "too_large",
  ],
  ["a lie about gzip", request("plain", { "content-encoding": "gzip" }), "invalid_request"],
  ["cut gzip", request(gzipSync("x".repeat(99)).subarray(0, 20), { "content-encoding": "gzip" }), "invalid_request"],
  ["another packing", request("x", { "content-encoding": "br" }), "unsupported_media"],
  ["not UTF-8", request(Uint8Array.of(0xff, 0xfe)), "invalid_request"],
])("a body is refused: %s", async (_, asked, code) => {
  await expect(readText(asked, 100)).rejects.toMatchObject({ code });
});

test.each([
  ["[]", 1],
  ['{"a":[{"b":1}]}', 3],
  ['"[[[["', 0],
  ['["\\"[[["]', 1],
])("depth of %s is %i", (text, depth) => expect(depthOf(text)).toBe(depth));

test.each([
  ["{", "invalid_request"],
  ["[".repeat(65) + "]".repeat(65), "invalid_request"],
  ['{"name":"a\\u0000b"}', "invalid_request"],
])("%j is refused", (text, code) => expect(() => parseJson(text)).toThrow(expect.objectContaining({ code })));

test("U+0000 stays where a body is kept as JSON, and the letters that only look like it are letters", () => {
  expect(parseJson('{"reply":"a\\u0000b"}', { nul: true })).toEqual({ reply: "a\0b" });
  expect(parseJson('{"name":"a\\\\u0000b"}')).toEqual({ name: "a\\u0000b" });
});

test("bare NaN is null, and no body is none", () => {
  expect(parseJson('{"loss":NaN}')).toEqual({ loss: null });
  expect(parseJson("  ")).toBeUndefined();
});
