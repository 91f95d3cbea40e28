import { type Html, html } from "@while/stats";
import { PAGE_STYLE } from "./page-style.ts";
import type { RunReport } from "./run-report.ts";
import { leadSentence, mixedSentence, notChecked, VERDICT_WORDS } from "./run-words.ts";
import { censusSection } from "./sections/census-section.ts";
import { exportSection } from "./sections/export-section.ts";
import { markersSection } from "./sections/markers-section.ts";
import { passSection } from "./sections/pass-section.ts";
import { definitions, section, sentences } from "./sections/section.ts";
import { selectionSection } from "./sections/selection-section.ts";

/**
 * The run as one page that needs nothing else: no script, no font, no request. The first sentence answers; what
 * follows is evidence, in the order in which a doubter asks for it.
 */
export function reportPage(report: RunReport): string {
  const { verdict, sources, command, passAt, markers, census, selection, sample } = report;
  const sections = [
    passSection(passAt, mixedSentence(report)),
    censusSection(census),
    markersSection(markers),
    selectionSection(selection),
    report.export === null ? null : exportSection(report.export, sample),
    notCheckedSection(report),
    filesSection(report),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${VERDICT_WORDS[verdict]}: ${sources.join(", ")}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<div class="page">
<header class="masthead"><i>While</i><span>run report</span><span class="files">${sources.join(", ")}</span></header>
<main>
<section class="title"><h1${verdict === "written" ? null : html` class="bad"`}>${VERDICT_WORDS[verdict]}</h1><p class="lead">${leadSentence(report)}</p></section>
${sections}</main>
<footer class="foot"><span><code>${command}</code></span><span class="end">${passAt.inference} intervals, no randomness</span></footer>
</div>
</body>
</html>
`.markup;
}

function notCheckedSection(report: RunReport): Html {
  return section({
    id: "not-checked",
    head: "What was not checked",
    note: html`<p>The number above is as good as these.</p>`,
    body: sentences(notChecked(report)),
  });
}

function filesSection({ files }: RunReport): Html {
  return section({
    id: "files",
    head: "Files beside this page",
    note: null,
    body: definitions(files.map(({ name, about }) => [html`<code>${name}</code>`, about] as const)),
  });
}
