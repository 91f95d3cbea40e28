import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml, html, typographic } from "./html.ts";

test.each([
  // text, in a page
  ["a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"],
  [`"it's"`, "&quot;it&#39;s&quot;"],
  ["\0\u001b[31mred\u009b", "\ufffd\ufffd[31mred\ufffd"],
  ["half \ud83d of one, \u{1f600}", "half \ufffd of one, \u{1f600}"],
  ["two\nlines\tand größer", "two\nlines\tand größer"],
])("escapeHtml(%j)", (text, expected) => {
  expect(escapeHtml(text)).toBe(expected);
});

test("what is put in is text unless it is markup itself", () => {
  const name = "<script>alert(1)</script>";
  expect(html`<b title="${name}">${name}</b>`.markup).not.toContain("<script>");
  expect(html`<p>${[html`<i>a</i>`, " & ", 3, null, undefined, false, ["b"]]}</p>`.markup).toBe(
    "<p><i>a</i> &amp; 3b</p>",
  );
});

test("no text opens an element or ends an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']/);
    }),
  );
});

test("a minus is as wide as a plus", () => {
  expect(typographic("-0.05 to +0.10")).toBe("\u22120.05 to +0.10");
});
