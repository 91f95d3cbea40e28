import { type Census, formatPercent } from "@while/schema";
import { type HtmlContent, html, htmlTable, type PageSection } from "@while/stats";
import { factsTable } from "./facts-table.ts";
import { said } from "./said.ts";

/** Fields that are listed; the others are counted. */
const MAX_FIELDS = 24;

/** What the rows are: how many of what, what they were graded, and which fields they have. */
export function censusSection(census: Census): PageSection {
  const { rows, duplicates, duplicateExamples, partial, nWithoutKey, models, reading } = census;
  const shown = census.fields.slice(0, MAX_FIELDS);
  const more = census.fields.length - shown.length;
  const fields = htmlTable({
    columns: [{ head: "field" }, { head: "rows", numeric: true }, { head: "share", numeric: true }],
    rows: shown.map(({ name, n, share }) => [name, String(n), formatPercent(share)]),
    caption: `A field counts where it holds something.${more > 0 ? ` ${more} more are not listed.` : ""}`,
  });
  return {
    id: "census",
    head: "What are the rows?",
    note: "Counts of what was read.",
    body: [
      factsTable([
        ["rows", `${rows} of ${census.tasks} tasks`],
        ["rollouts a task", rolloutsPerTask(census)],
        ["graded", `${census.graded} of ${rows}${partial > 0 ? `, ${partial} of them partial credit` : ""}`],
        ["rewards", rewards(census)],
        ...(models.size > 0
          ? [["models", Array.from(models, ([model, n]) => `${model} ${n}`).join(", ")] as const]
          : []),
        ["duplicates", duplicates === 0 ? "none" : `${duplicates} rows (${duplicateExamples.join(", ")})`],
        ...(nWithoutKey > 0 ? [["without a task", `${nWithoutKey} rows, each a task of its own`] as const] : []),
        ...(reading === null ? [] : readingFacts(reading)),
      ]),
      said(reading?.warnings.map(({ text }) => text) ?? []),
      html`<details><summary>Fields</summary>${fields}</details>`,
    ],
  };
}

const NOT_MEASURED = html`<span class="none">not measured</span>`;

function rolloutsPerTask({ rolloutsPerTask: of }: Census): HtmlContent {
  if (of === null) return NOT_MEASURED;
  return of.min === of.max ? `${of.min}` : `${of.min} to ${of.max}, median ${of.median}`;
}

function rewards({ rewards: counts, nRewardValues }: Census): HtmlContent {
  if (counts.length > 0) return counts.map(({ value, n }) => `${value} in ${n}`).join(", ");
  return nRewardValues > 0 ? `more than ${nRewardValues - 1} different values` : NOT_MEASURED;
}

function readingFacts({ format, nBadLines, skipped }: NonNullable<Census["reading"]>): [string, string][] {
  return [
    ["format", format],
    ["bad lines", nBadLines === 0 ? "none" : `${nBadLines} left out`],
    ...Array.from(skipped, ([reason, n]): [string, string] => ["skipped", `${n}: ${reason.replaceAll("_", " ")}`]),
  ];
}
