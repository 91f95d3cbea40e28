import { forestPlot, html, type MetricSummary, type PageSection } from "@while/stats";
import { levelRow } from "./level-row.ts";
import { said } from "./said.ts";

/** The behaviours that the rows carry measurements of; nothing when they carry none. */
export function markersSection(markers: ReadonlyMap<string, MetricSummary>): PageSection | null {
  if (markers.size === 0) return null;
  return {
    id: "markers",
    head: "How does it behave?",
    note: html`<p>Markers on the rows, means over tasks. 1 is good.</p>`,
    body: [
      forestPlot({
        kind: "level",
        nameHead: "marker",
        valueHead: "mean",
        readingHead: "rests on",
        caption: "Markers with their intervals",
        rows: Array.from(markers, ([name, { mean, ci95, nTasks, nRows, note }]) =>
          levelRow(name, note, mean, ci95, { reading: `${nTasks} tasks, ${nRows} rows` }),
        ),
      }),
      said(Array.from(markers.values(), (summary) => summary.warnings.map(({ text }) => text)).flat()),
    ],
  };
}
