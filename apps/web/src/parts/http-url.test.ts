import { expect, test } from "vitest";
import { httpUrl } from "./http-url.ts";

test.each([
  ["https://example.com/a?b=1", "https://example.com/a?b=1"],
  ["http://example.com", "http://example.com/"],
  ["HTTPS://EXAMPLE.COM", "https://example.com/"],
  ["javascript:alert(1)", null],
  ["java\nscript:alert(1)", null],
  ["data:text/html,<b>", null],
  ["mailto:a@b.example", null],
  ["/runs", null],
  ["//example.com", null],
  ["", null],
  [null, null],
])("httpUrl(%j) is %j", (text, url) => expect(httpUrl(text)).toBe(url));
