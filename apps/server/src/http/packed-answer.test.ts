import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packedAnswer } from "./packed-answer.ts";

const TEXT = JSON.stringify({ rows: Array.from({ length: 1000 }, (_, i) => ({ prompt: `ask ${i}` })) });
const answer = (text: string, headers: Record<string, string> = {}) =>
  new Response(text, { status: 201, headers: { "content-type": "application/json", ...headers } });

test("a long answer travels packed to who takes that", async () => {
  const packed = await packedAnswer(answer(TEXT), "gzip, deflate, br");
  expect([packed.status, packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual([
    201,
    "gzip",
    "accept-encoding",
  ]);
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect(bytes.byteLength).toBeLessThan(TEXT.length / 4);
  expect(gunzipSync(bytes).toString()).toBe(TEXT);
});

test.each([
  ["a short one", answer('{"ok":true}'), "gzip"],
  ["one to a caller that takes no gzip", answer(TEXT), "br"],
  ["one to a caller that forbids it", answer(TEXT), "gzip;q=0, br"],
  ["one that is packed already", answer(TEXT, { "content-encoding": "br" }), "gzip"],
  ["events", answer(TEXT, { "content-type": "text/event-stream" }), "gzip"],
  ["rows of a set", answer(TEXT, { "content-type": "application/jsonl" }), "gzip"],
])("%s stays as it is", async (_, response, accepted) => {
  const before = response.headers.get("content-encoding");
  const text = await response.clone().text();
  const same = await packedAnswer(response, accepted);
  expect([same.headers.get("content-encoding"), await same.text()]).toEqual([before, text]);
});
