/**
 * The style of a report page: the tokens, then the elements, then the marks that every chart is built from. Two themes
 * stand side by side with `light-dark()`, the reader's system decides; shades are derived from seven colours. Text has a
 * contrast of 4.5 or more on paper and a mark 3 or more, in both.
 */
export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcf9, #161513); --sheet: light-dark(#f7f5ef, #1e1d1a);
  --ink: light-dark(#1d1b18, #ebe7de); --ink-2: light-dark(#56524a, #b9b3a7); --ink-3: light-dark(#6f6a60, #989287);
  --rule: light-dark(#cfc9bd, #47433b); --hair: light-dark(#e8e4da, #2b2925);
  --accent: light-dark(#1b5288, #8bb8e6); --good: light-dark(#236a4f, #82c4a3); --bad: light-dark(#b0390f, #f0906a);
  --tint: 30%;
  --noise: color-mix(in oklab, var(--ink) 8%, var(--paper));
  --text-face: Charter, "Bitstream Charter", "Charis SIL", "Sitka Text", Cambria, "Source Serif 4", "Noto Serif", serif;
  --code-face: ui-monospace, "SF Mono", "Cascadia Mono", "Source Code Pro", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --size-note: 0.8125rem; --size-data: 0.9375rem; --size-text: 1.0625rem; --size-head: 1.375rem; --size-lead: 1.75rem; --size-title: 2.5rem;
  --leading-data: 1.4; --leading-text: 1.55; --measure: 40rem;
  --s1: 0.25rem; --s2: 0.5rem; --s3: 0.75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2.5rem; --s7: 4rem;
  --page: 72rem; --hang: 13rem; --gutter: 2.5rem; --edge: clamp(1.25rem, 5vw, 4rem);
}
@media (prefers-color-scheme: dark) { :root { --tint: 38%; } }

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: var(--s5); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 var(--size-text)/var(--leading-text) var(--text-face); font-variant-numeric: lining-nums tabular-nums; font-kerning: normal; }
h1, h2, h3, p, ul, dl, dd, figure, pre, table { margin: 0; padding: 0; }
h1, h2, h3 { font-weight: 400; line-height: 1.2; text-wrap: balance; }
h2 { font-size: var(--size-head); overflow-wrap: anywhere; }
h3 { font-size: var(--size-text); font-weight: 700; line-height: 1.3; }
p { text-wrap: pretty; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
b { font-weight: 700; }
code, pre { font-family: var(--code-face); font-size: var(--size-note); font-variant-numeric: normal; overflow-wrap: anywhere; }
.skip { position: absolute; left: var(--edge); top: -4rem; background: var(--paper); padding: var(--s2) var(--s3); z-index: 2; }
.skip:focus { top: var(--s2); }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.quiet { color: var(--ink-2); }
.small { font-size: var(--size-data); line-height: var(--leading-data); }
.small > p + p { margin-top: var(--s3); }
.note { font-size: var(--size-note); line-height: var(--leading-data); color: var(--ink-2); overflow-wrap: anywhere; }
.note p + p { margin-top: var(--s2); }
.none { color: var(--ink-3); font-style: italic; }
.good { color: var(--good); } .bad { color: var(--bad); }

.page { max-width: calc(var(--page) + 2 * var(--edge)); margin-inline: auto; padding-inline: var(--edge); }
.top { display: flex; justify-content: space-between; gap: var(--s1) var(--s4); flex-wrap: wrap; border-bottom: 1px solid var(--ink); padding-block: var(--s4) var(--s3); font-size: var(--size-data); color: var(--ink-2); }
.top i { color: var(--ink); font-size: var(--size-text); } .top span { overflow-wrap: anywhere; }
.verdict { display: grid; grid-template-columns: var(--hang) minmax(0, 1fr); gap: var(--s3) var(--gutter); padding-block: var(--s6); align-items: baseline; }
.verdict .word { font-size: var(--size-title); line-height: 1.05; letter-spacing: -0.01em; }
.verdict .word.long { font-size: var(--size-lead); letter-spacing: 0; }
.lead { font-size: var(--size-lead); line-height: 1.3; max-width: 46rem; text-wrap: balance; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); font-size: var(--size-data); color: var(--ink-2); margin-top: var(--s4); overflow-wrap: anywhere; }
.part { display: grid; grid-template-columns: var(--hang) minmax(0, 1fr); gap: var(--s4) var(--gutter); border-top: 1px solid var(--rule); padding-block: var(--s4) var(--s7); }
.hang > .note { margin-top: var(--s2); }
.body > * + * { margin-top: var(--s5); }
.prose { max-width: var(--measure); }
.foot { border-top: 1px solid var(--ink); padding-block: var(--s4) var(--s6); display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); font-size: var(--size-note); color: var(--ink-2); }
.foot .end { margin-left: auto; } .foot > * { overflow-wrap: anywhere; }

table { border-collapse: collapse; width: 100%; font-size: var(--size-data); line-height: var(--leading-data); }
caption:not(.sr) { text-align: left; font-size: var(--size-note); color: var(--ink-2); padding-bottom: var(--s2); }
th { font-weight: 400; text-align: left; color: var(--ink-2); font-size: var(--size-note); vertical-align: bottom; padding: 0 var(--s3) var(--s1) 0; border-bottom: 1px solid var(--ink-3); }
td { padding: var(--s2) var(--s3) var(--s2) 0; border-bottom: 1px solid var(--hair); vertical-align: baseline; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
tbody th { color: var(--ink); font-size: var(--size-data); padding: var(--s2) var(--s3) var(--s2) 0; border-bottom: 1px solid var(--hair); vertical-align: baseline; overflow-wrap: anywhere; unicode-bidi: isolate; min-width: 10.5rem; }
tbody tr:last-child > * { border-bottom-color: var(--rule); }
.num, .value { text-align: right; white-space: nowrap; }
th.num, th.value { padding-left: var(--s3); }
.sub { display: block; font-size: var(--size-note); font-weight: 400; color: var(--ink-2); }
summary { cursor: pointer; color: var(--accent); font-size: var(--size-note); width: fit-content; }
pre { white-space: pre-wrap; line-height: 1.55; margin-top: var(--s3); padding: var(--s3) var(--s4); background: var(--sheet); }

.finds li { display: grid; grid-template-columns: 1.4rem minmax(0, 1fr); gap: var(--s1) var(--s2); padding-block: var(--s3); border-top: 1px solid var(--hair); font-size: var(--size-data); line-height: 1.5; max-width: 48rem; overflow-wrap: anywhere; }
.finds li:has(.do) { grid-template-columns: 1.4rem minmax(0, 1fr) minmax(0, 17rem); max-width: none; }
.finds li:first-child { border-top: 0; padding-top: 0; } .finds code { color: var(--ink-3); display: block; } .finds .do { color: var(--ink-2); }
.chk { display: inline-block; width: 0.78em; height: 0.78em; margin-top: 0.36em; overflow: visible; }
.chk path { fill: none; stroke: var(--ink-3); stroke-width: 1.6; } .chk.no path { stroke: var(--bad); stroke-width: 2.4; } .chk.wa path { stroke: var(--bad); stroke-width: 2; }

svg.strip { display: block; width: 100%; height: 1.15rem; overflow: visible; } svg.strip svg { width: 100%; height: 100%; }
svg.bars { display: block; width: 100%; max-width: 34rem; height: 11rem; overflow: visible; }
svg text { font-family: var(--text-face); font-size: 13px; fill: var(--ink-2); font-variant-numeric: lining-nums tabular-nums; } svg .mid { text-anchor: middle; }
.c-ink { --c: var(--ink); } .c-good { --c: var(--good); } .c-bad { --c: var(--bad); } .c-rest { --c: var(--ink-3); }
svg .iv { fill: color-mix(in oklab, var(--c) var(--tint), var(--paper)); }
svg .cap { stroke: var(--c); stroke-width: 1.5px; }
svg .pt { fill: var(--c); stroke: var(--paper); stroke-width: 1.25; }
svg .open .pt { fill: var(--paper); stroke: var(--c); stroke-width: 1.75; }
svg .open .iv { fill: none; stroke: var(--c); stroke-width: 1; stroke-dasharray: 2 2; }
svg .band { fill: var(--noise); }
svg .edge { stroke: var(--ink-3); stroke-width: 1; stroke-dasharray: 1 3; stroke-linecap: round; }
svg .zero { stroke: var(--ink); stroke-width: 1; }
svg .nomeasure { stroke: var(--ink-3); stroke-width: 1; stroke-dasharray: 1 4; stroke-linecap: round; }

svg.curves { display: block; width: 100%; max-width: 38rem; height: 14rem; overflow: visible; }
svg .curve { fill: none; stroke: var(--ink); stroke-width: 1.75px; vector-effect: non-scaling-stroke; stroke-linejoin: round; } svg .hair { stroke: var(--hair); stroke-width: 1; }
.body > .key { margin-top: var(--s2); display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); font-size: var(--size-note); color: var(--ink-2); } .body > .key + details { margin-top: var(--s2); }
.squares { max-width: 30rem; table-layout: fixed; } .squares thead th, .squares td { text-align: center; padding-inline: 0; } .squares tbody th { width: 30%; }
svg.sq { display: block; width: 6rem; height: 6rem; margin: 0 auto var(--s1); }

.forest { table-layout: fixed; }
.forest thead th:first-child { width: 21%; } .forest thead th.num { width: 4rem; } .forest thead th.value { width: 8.5rem; } .forest thead th.read { width: 9rem; }
.forest tbody tr { height: 3.25rem; } .forest tbody > tr > * { vertical-align: middle; padding-block: 0.3rem; }
.forest th.plot { padding-inline: var(--s3); }
.forest td.plot { position: relative; padding: 0; } .forest td.plot svg.strip { position: absolute; inset: 0 var(--s3); width: calc(100% - 2 * var(--s3)); height: 100%; }
.forest .read { font-size: var(--size-note); color: var(--ink-2); }
.forest .num, .forest .value { overflow-wrap: normal; } .forest td .sub { white-space: nowrap; } .forest .read .sub { white-space: normal; }

@media (max-width: 72rem) {
  .part { grid-template-columns: minmax(0, 1fr); }
  .hang > .note { max-width: 50rem; }
}
@media (max-width: 60rem) { .verdict { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 52rem) { .forest .wide-only { display: none; } .forest thead th:first-child { width: 27%; } }
@media screen and (max-width: 40rem) {
  :root { --size-title: 2rem; --size-lead: 1.4rem; --size-text: 1rem; --s7: 3rem; }
  .wide-only { display: none; }
  .forest, .forest thead, .forest tbody { display: block; }
  .forest tr, .forest tbody tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s3); height: auto; padding-block: var(--s2); border-bottom: 1px solid var(--hair); }
  .forest thead tr { border-bottom-color: var(--ink-3); padding-block: 0; }
  .forest tr > *, .forest tbody > tr > * { border: 0; padding: 0; } tbody th { min-width: 0; }
  .forest .plot, .forest tbody td.plot { grid-column: 1 / -1; grid-row: 2; height: 2.5rem; padding: 0; }
  .forest th.plot { height: auto; } .forest td.plot svg.strip { inset: 0; width: 100%; }
  .forest td.read { grid-column: 1 / -1; grid-row: 3; }
  .forest thead th:first-child, .forest thead th.num, .forest thead th.value { width: auto; } .forest th.read { display: none; }
  .finds li:has(.do) { grid-template-columns: 1.4rem minmax(0, 1fr); } .finds .do { grid-column: 2; }
  .foot .end { margin-left: 0; }
}
@media print {
  :root { color-scheme: light; --tint: 30%; --page: 100%; --edge: 0px; --size-text: 10pt; --size-data: 9pt; --size-note: 8pt; --size-head: 13pt; --size-lead: 16pt; --size-title: 24pt; --s7: 2rem; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { background: none; }
  .skip, summary { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  tr, .finds li, .verdict { break-inside: avoid; }
  .part { display: block; } .part > .body { margin-top: var(--s4); } h2, .note { break-after: avoid; }
  .forest .wide-only { display: table-cell; } .forest thead th:first-child { width: 20%; } .forest thead th.num { width: 3.1rem; } .forest thead th.value { width: 6.6rem; } .forest thead th.read, .forest td.read { width: 6.4rem; }
  .forest th.plot { padding-inline: var(--s2); } .forest td.plot svg.strip { inset: 0 var(--s2); width: calc(100% - 2 * var(--s2)); } svg text { font-size: 8pt; }
  .forest tbody tr { height: 2.4rem; }
  thead { display: table-header-group; }
}
@page { margin: 16mm 14mm; }
`;
