import { type Html, html } from "@while/stats";

/**
 * The look of the page: one serif face, six sizes, eight spaces, one accent, rules and white space in place of boxes.
 * Both themes stand side by side with `light-dark()`; the reader's system decides, and paper is always light.
 * Colour is spent on judgements: vermilion only where a rule fired, with a word beside it.
 */
export const PAGE_STYLE: Html = html`
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcf9, #161513);
  --sheet: light-dark(#f7f5ef, #1e1d1a);
  --ink: light-dark(#1d1b18, #ebe7de);
  --ink-2: light-dark(#56524a, #b9b3a7);
  --ink-3: light-dark(#6f6a60, #989287);
  --bar: light-dark(#918b80, #716b61);
  --rule: light-dark(#cfc9bd, #47433b);
  --hair: light-dark(#e8e4da, #2b2925);
  --accent: light-dark(#1b5288, #8bb8e6);
  --bad: light-dark(#b0390f, #f0906a);
  --tint: 30%;
  --text-face: Charter, "Bitstream Charter", "Charis SIL", "Sitka Text", Cambria, "Source Serif 4", "Noto Serif", serif;
  --code-face: ui-monospace, "SF Mono", "Cascadia Mono", "Source Code Pro", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --size-note: 0.8125rem; --size-data: 0.9375rem; --size-text: 1.0625rem;
  --size-head: 1.375rem; --size-lead: 1.75rem; --size-title: 2.5rem;
  --s1: 0.25rem; --s2: 0.5rem; --s3: 0.75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2.5rem; --s7: 4rem;
  --edge: clamp(1.25rem, 5vw, 4rem);
}
@media (prefers-color-scheme: dark) { :root { --tint: 38%; } }

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 400 var(--size-text)/1.55 var(--text-face);
  font-variant-numeric: lining-nums tabular-nums;
}
h1, h2, p, ul, dl, dd, figure, pre, table { margin: 0; padding: 0; }
h1, h2 { font-weight: 400; line-height: 1.2; text-wrap: balance; }
h2 { font-size: var(--size-head); }
ul { list-style: none; }
b { font-weight: 700; }
code { font-family: var(--code-face); font-size: var(--size-note); font-variant-numeric: normal; overflow-wrap: anywhere; }
.note, caption { font-size: var(--size-note); line-height: 1.4; color: var(--ink-2); }
.note > p + p { margin-top: var(--s2); }
.none { color: var(--ink-3); font-style: italic; }
.bad { color: var(--bad); }

.page { max-width: calc(72rem + 2 * var(--edge)); margin-inline: auto; padding-inline: var(--edge); }
.masthead { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); align-items: baseline; padding-block: var(--s4) var(--s3); border-bottom: 1px solid var(--ink); font-size: var(--size-data); color: var(--ink-2); }
.masthead i { font-size: var(--size-text); color: var(--ink); }
.masthead .files { margin-left: auto; overflow-wrap: anywhere; }
.part, .title { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: var(--s4) 2.5rem; }
.title { padding-block: var(--s6); align-items: start; }
.title h1 { font-size: var(--size-title); letter-spacing: -0.01em; line-height: 1.05; }
.lead { font-size: var(--size-lead); line-height: 1.3; max-width: 46rem; text-wrap: balance; }
.facts { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); margin-top: var(--s4); font-size: var(--size-data); color: var(--ink-2); }
.part { border-top: 1px solid var(--rule); padding-block: var(--s4) var(--s7); }
.part .note { margin-top: var(--s2); }
.body > * + * { margin-top: var(--s5); }
.prose { max-width: 40rem; }
.foot { border-top: 1px solid var(--ink); padding-block: var(--s4) var(--s6); font-size: var(--size-note); color: var(--ink-2); display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); }
.foot > * { overflow-wrap: anywhere; } .foot .end { margin-left: auto; }

table { border-collapse: collapse; width: 100%; font-size: var(--size-data); line-height: 1.4; }
caption { text-align: left; padding-bottom: var(--s2); }
th { font-weight: 400; text-align: left; color: var(--ink-2); font-size: var(--size-note); vertical-align: bottom; padding: 0 var(--s3) var(--s1) 0; border-bottom: 1px solid var(--ink-3); }
td, tbody th { padding: var(--s2) var(--s3) var(--s2) 0; border-bottom: 1px solid var(--hair); vertical-align: baseline; font-size: var(--size-data); color: var(--ink); }
tbody th { overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
tbody tr:last-child > * { border-bottom-color: var(--rule); }
td.num, th.num { text-align: right; white-space: nowrap; }
td .sub, th .sub { display: block; font-size: var(--size-note); color: var(--ink-2); font-weight: 400; white-space: normal; }
td.wide, th.wide { width: 45%; vertical-align: middle; }
.defs { display: grid; grid-template-columns: minmax(9rem, max-content) minmax(0, 1fr); font-size: var(--size-data); line-height: 1.5; }
.defs > dt, .defs > dd { padding-block: 0.3rem; border-top: 1px solid var(--hair); overflow-wrap: anywhere; }
.defs > dt { color: var(--ink-2); padding-right: var(--s5); }
.defs > dt:first-of-type, .defs > dd:first-of-type { border-top: 0; padding-top: 0; }
.says { font-size: var(--size-data); line-height: 1.45; max-width: 46rem; }
.says > li { display: grid; grid-template-columns: 1.5rem minmax(0, 1fr); padding-block: var(--s2); border-top: 1px solid var(--hair); overflow-wrap: anywhere; }
.says > li::before { content: "–"; color: var(--ink-3); }
.says > li.warn::before { content: "!"; color: var(--bad); font-weight: 700; }
.numbers { width: auto; } .numbers td, .numbers th { padding-left: var(--s5); } .numbers td:first-child, .numbers th:first-child { padding-left: 0; }
.sample { font-size: var(--size-data); } .sample tbody th { width: 7rem; } .sample td.said { white-space: pre-wrap; overflow-wrap: anywhere; }
.sample .context td, .sample .context th { color: var(--ink-2); } .sample tr > :first-child { padding-left: var(--s2); } .sample tr > :last-child { padding-right: var(--s2); } .sample .trained { background: color-mix(in oklab, var(--accent) 7%, var(--paper)); }
summary { cursor: pointer; color: var(--accent); font-size: var(--size-note); width: fit-content; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
details[open] > summary { margin-bottom: var(--s2); }

svg { display: block; width: 100%; overflow: visible; }
svg.strip { height: 1.5rem; margin-block: -0.1rem; } thead svg.strip { height: 1.1rem; }
figure svg { height: auto; max-width: 56.5rem; }
svg text { font-family: var(--text-face); font-size: 13px; fill: var(--ink-2); font-variant-numeric: lining-nums tabular-nums; }
svg .end { text-anchor: end; } svg .mid { text-anchor: middle; } svg .named { fill: var(--c); font-weight: 700; }
.c-accent { --c: var(--accent); } .c-ink { --c: var(--ink); } .c-rest { --c: var(--ink-3); }
svg .iv { fill: color-mix(in oklab, var(--c) var(--tint), var(--paper)); }
svg .cap { stroke: var(--c); stroke-width: 1.5px; }
svg .pt { fill: var(--c); stroke: var(--paper); stroke-width: 1.25px; }
svg .open .pt { fill: var(--paper); stroke: var(--c); stroke-width: 1.75px; }
svg .line { stroke: var(--c); stroke-width: 1.75px; fill: none; stroke-linejoin: round; }
svg .dashed { stroke-dasharray: 5 3.5; }
svg .grid { stroke: var(--hair); } svg .axis { stroke: var(--ink-3); }
svg .count { fill: var(--bar); }
svg .missing { stroke: var(--ink-3); stroke-dasharray: 1 4; stroke-linecap: round; }
.narrow { display: none; }

@media (max-width: 60rem) { .part, .title { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) {
  :root { --size-title: 2rem; --size-lead: 1.4rem; --size-text: 1rem; --s7: 3rem; }
  .masthead .files, .foot .end { margin-left: 0; }
  .title { padding-block: var(--s5); }
  svg.wide { display: none; } .narrow { display: block; max-width: 30rem; }
  .defs { grid-template-columns: minmax(6rem, 36%) minmax(0, 1fr); }
  .forest, .forest thead, .forest tbody { display: block; }
  .forest tr { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; border-bottom: 1px solid var(--hair); padding-block: var(--s2); }
  .forest tr > * { border: 0; padding-block: 0; } .forest tr > .wide { grid-column: 1 / -1; order: 1; width: auto; padding: var(--s1) 0 0; }
}
@media print {
  :root { color-scheme: light; }
  body { font-size: 10.5pt; }
  .part { padding-block: var(--s3) var(--s5); break-inside: auto; }
  details::details-content { content-visibility: visible; block-size: auto; } summary { display: none; }
  tr, figure, li { break-inside: avoid; } h2 { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
