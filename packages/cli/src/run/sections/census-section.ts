import { type Census, formatPercent } from "@while/schema";
import { type Html, html } from "@while/stats";
import { countStrip } from "../interval-strip.ts";
import { definitions, notMeasured, section, sentences } from "./section.ts";

/** Fields that are listed; the others are counted. */
const MAX_FIELDS = 24;

/** What the rows are: how many of what, what they were graded, and which fields they have. */
export function censusSection(census: Census): Html {
  const { rows, duplicates, duplicateExamples, partial, nWithoutKey, models, reading } = census;
  const shown = census.fields.slice(0, MAX_FIELDS);
  const fields = shown.map(
    ({ name, n, share }) =>
      html`<tr><th scope="row">${name}</th><td class="wide">${countStrip(n, rows)}</td><td class="num">${n}</td><td class="num">${formatPercent(share)}</td></tr>`,
  );
  const more = census.fields.length - shown.length;
  return section({
    id: "census",
    head: "What are the rows?",
    note: html`<p>Counts of what was read. A field counts where it holds something.</p>`,
    body: [
      definitions([
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
      sentences(reading?.warnings.map(({ text }) => text) ?? [], { warn: true }),
      html`<details><summary>Fields</summary><table class="forest"><thead><tr><th scope="col">field</th><th scope="col" class="wide"></th><th scope="col" class="num">rows</th><th scope="col" class="num">share</th></tr></thead><tbody>${fields}</tbody></table>${more > 0 ? html`<p class="note">and ${more} more</p>` : null}</details>`,
    ],
  });
}

function rolloutsPerTask({ rolloutsPerTask: of }: Census): Html | string {
  if (of === null) return notMeasured;
  return of.min === of.max ? `${of.min}` : `${of.min} to ${of.max}, median ${of.median}`;
}

function rewards({ rewards: counts, nRewardValues }: Census): Html | string {
  if (counts.length > 0) return counts.map(({ value, n }) => `${value} in ${n}`).join(", ");
  return nRewardValues > 0 ? `more than ${nRewardValues - 1} different values` : notMeasured;
}

function readingFacts({ format, nBadLines, skipped }: NonNullable<Census["reading"]>): [string, string][] {
  return [
    ["format", format],
    ["bad lines", nBadLines === 0 ? "none" : `${nBadLines} left out`],
    ...Array.from(skipped, ([reason, n]): [string, string] => ["skipped", `${n}: ${reason.replaceAll("_", " ")}`]),
  ];
}
