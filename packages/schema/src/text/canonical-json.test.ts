import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test.each([
  // RFC 8785, section 3.2.3: keys go by their UTF-16 units.
  [
    { "\u20ac": "Euro Sign", "\r": "Carriage Return", "1": "One", "\u0080": "Control\u007f", "\ud83d\ude00": "Smiley" },
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control\u007f","\u20ac":"Euro Sign","\ud83d\ude00":"Smiley"}',
  ],
  [{ b: [1, { z: null, a: true }], a: 1e21 }, '{"a":1e+21,"b":[1,{"a":true,"z":null}]}'],
  [4.5, "4.5"],
  ["\u000f\n", '"\\u000f\\n"'],
])("%j", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test("the digest of a row is that of another language's spelling of it", () => {
  const row = { scenario_id: "s1", prompt: "café", reward: 1 };
  expect(createHash("sha256").update(canonicalJson(row)).digest("hex")).toBe(
    "91157424bb4a0fd006e7873a14430779edc3a75aa8390580ecd5e8fa8bfd6865",
  );
});
