import type { MetricSummary } from "@while/stats";
import { type Html, html } from "@while/stats";
import { STRIP_SCALE } from "../interval-strip.ts";
import { rate } from "./pass-section.ts";
import { section, sentences } from "./section.ts";

/** The behaviours that the rows carry measurements of; nothing when they carry none. */
export function markersSection(markers: ReadonlyMap<string, MetricSummary>): Html | null {
  if (markers.size === 0) return null;
  const rows = Array.from(markers, ([name, { mean, ci95, nTasks, nRows, note }]) =>
    rate(name, note, mean, ci95, `${nTasks} tasks, ${nRows} rows`),
  );
  const warnings = Array.from(markers.values(), (summary) => summary.warnings.map(({ text }) => text)).flat();
  return section({
    id: "markers",
    head: "How does it behave?",
    note: html`<p>Markers on the rows, means over tasks. 1 is good.</p>`,
    body: [
      html`<table class="forest"><thead><tr><th scope="col">marker</th><th scope="col" class="wide">${STRIP_SCALE}</th><th scope="col" class="num">value</th><th scope="col" class="num">rests on</th></tr></thead><tbody>${rows}</tbody></table>`,
      sentences(warnings, { warn: true }),
    ],
  });
}
