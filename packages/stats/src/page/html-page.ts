import { type HtmlContent, html, markupOf } from "./html.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** `good` and `bad` where a rule fired, `plain` where none did: colour is spent on judgements alone. */
export type Tone = "good" | "bad" | "plain";

export interface PageVerdict {
  /** PASS, FAIL, NO DIFFERENCE: the first line of the report. */
  word: string;
  tone: Tone;
  /** The sentence that answers the question. */
  lead: HtmlContent;
  /** The numbers it rests on. */
  facts?: readonly HtmlContent[];
}

export interface PageSection {
  /** Names the section in a link; letters, digits and hyphens. */
  id: string;
  head: string;
  /** How to read it, for someone who knows statistics and not this product. */
  note?: HtmlContent;
  body: HtmlContent;
}

export interface HtmlPage {
  /** Of the tab and of search results. */
  title: string;
  /** What this is: "delta report". */
  kind: string;
  /** What it is about: files, a judge. */
  about?: HtmlContent;
  verdict: PageVerdict;
  sections: readonly PageSection[];
  /** What shaped the numbers: rule set, seed. */
  foot?: readonly HtmlContent[];
}

/** Longest word of a verdict that fits the hanging column at the size of a title. */
const LONG_WORD = 8;

/**
 * A report as one self-contained page: the verdict, then the evidence in the order a doubter asks for it. No script, no
 * font, no image and no clock, so the same report is the same bytes; light and dark, narrow and on paper.
 */
export function htmlPage({ title, kind, about, verdict, sections, foot = [] }: HtmlPage): string {
  const { word, tone, lead, facts = [] } = verdict;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
${{ markup: PAGE_STYLE }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<div class="page">
<header class="top"><span><i>While</i>&nbsp;&nbsp; ${kind}</span><span>${about}</span></header>
<main id="main">
<div class="verdict"><h1 class="word ${tone}${word.length > LONG_WORD && " long"}">${word}</h1><div><p class="lead">${lead}</p>${
    facts.length > 0 &&
    html`
<div class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</div>`
  }</div></div>
${sections.map(sectionOf)}</main>
<footer class="foot">${foot.map((part) => html`<span>${part}</span>`)}<span class="end">Self-contained: no script, no font and no image is fetched.</span></footer>
</div>
</body>
</html>
`;
  return markupOf(page);
}

function sectionOf({ id, head, note, body }: PageSection): HtmlContent {
  return html`
<section class="part" id="${id}" aria-labelledby="${id}-head">
<header class="hang"><h2 id="${id}-head">${head}</h2>${note !== undefined && html`<div class="note">${note}</div>`}</header>
<div class="body">
${body}
</div>
</section>
`;
}
