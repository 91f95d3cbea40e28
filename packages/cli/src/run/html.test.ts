import { expect, test } from "vitest";
import { html } from "./html.ts";

test.each([
  ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  [`" onload="x`, "&quot; onload=&quot;x"],
  ["it's & it", "it&#39;s &amp; it"],
  ["a\u0000b\ud800c", "a\ufffdb\ufffdc"],
  ["über 😀\n", "über 😀\n"],
])("a value %j is text, wherever it stands", (value, shown) => {
  expect(html`<p title="${value}">${value}</p>`.toString()).toBe(`<p title="${shown}">${shown}</p>`);
});

test("pieces made by html stay markup, lists are joined, null is nothing, 0 is 0", () => {
  const rows = ["a", "<b>"].map((cell) => html`<td>${cell}</td>`);
  expect(html`<tr>${rows}${null}${undefined}${0}</tr>`.toString()).toBe("<tr><td>a</td><td>&lt;b&gt;</td>0</tr>");
});
