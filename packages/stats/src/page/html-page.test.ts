import { expect, test } from "vitest";
import { html } from "./html.ts";
import { htmlFindings } from "./html-findings.ts";
import { htmlPage } from "./html-page.ts";
import { htmlTable } from "./html-table.ts";

const page = htmlPage({
  title: "FAIL: <late>",
  kind: "judge report",
  about: "late & gold",
  verdict: { word: "FAIL", tone: "bad", lead: "A claim buys a pass.", facts: ["62 labels", html`<b>2</b> skipped`] },
  sections: [
    {
      id: "findings",
      head: "Findings",
      note: "How to read.",
      body: htmlFindings([{ mark: "fails", text: "<b>", code: "leak" }]),
    },
    {
      id: "rows",
      head: "Rows",
      body: htmlTable({ columns: [{ head: "row" }, { head: "n", numeric: true }], rows: [["a<b", 3]] }),
    },
  ],
  foot: ["strict rules"],
});

test("the verdict is the one h1, and each section has a head that names it", () => {
  expect(page.match(/<h1[^>]*>(.*?)<\/h1>/)![0]).toBe('<h1 class="word bad">FAIL</h1>');
  expect(page.match(/<h1/g)).toHaveLength(1);
  expect(page).toContain('<section class="part" id="rows" aria-labelledby="rows-head">');
  expect(page).toContain('<h2 id="rows-head">Rows</h2>');
});

test("nothing is fetched, nothing runs, and text stays text", () => {
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:|\son\w+=/);
  expect(page).toContain("<title>FAIL: &lt;late&gt;</title>");
  expect(page).toContain("late &amp; gold");
  expect(page).toContain("<b>2</b> skipped");
});

test("a finding says its mark in a word as well as in a shape", () => {
  expect(page).toContain('role="img" aria-label="fails"');
  expect(page).toContain("<div>&lt;b&gt;<code>leak</code></div>");
});

test("numbers are right-aligned under a head that is too, and the first cell names its row", () => {
  expect(page).toContain('<th scope="col" class="num">n</th>');
  expect(page).toContain('<th scope="row">a&lt;b</th><td class="num">3</td>');
});

test("every opened element is closed", () => {
  const open: string[] = [];
  for (const [, slash, name, end] of page.slice(page.indexOf("<html")).matchAll(/<(\/?)([a-z0-9]+)[^>]*?(\/?)>/g)) {
    if (end === "/" || name === "meta") continue;
    if (slash === "/") expect(open.pop()).toBe(name);
    else open.push(name!);
  }
  expect(open).toEqual([]);
});
