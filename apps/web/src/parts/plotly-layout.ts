import type { PlotlyFigure } from "@while/platform-client/contract";
import { plotlyTexts } from "./plotly-text.ts";

/** What a figure is drawn with: the colours and the face of the page as they are now. */
export interface Ink {
  ink: string;
  ink2: string;
  hair: string;
  face: string;
  /** One for each trace, in order. */
  colours: readonly string[];
}

/** Ground, size and face are the page's; the rest would load, move or ask for what a report does not have. */
const OURS = new Set([
  ...["paper_bgcolor", "plot_bgcolor", "width", "height", "autosize", "font", "title"],
  ...["images", "updatemenus", "sliders", "template", "modebar", "dragmode", "uirevision"],
]);

type Layout = Record<string, unknown>;

/** A posted layout over the one of the house: the agent's axes and annotations, the page's ground, face and size. */
export function plotlyLayout(
  posted: Layout,
  { ink, ink2, hair, face, colours }: Ink,
  { width, height, zooms }: { width: number; height: number; zooms: boolean },
): Layout {
  const clean = plotlyTexts(Object.fromEntries(Object.entries(posted).filter(([key]) => !OURS.has(key))));
  const axis = { color: ink2, gridcolor: hair, linecolor: ink2, zerolinecolor: hair, automargin: true };
  const layout: Layout = {
    colorway: colours,
    margin: { l: 44, r: 12, t: titleOf(posted) === null ? 12 : 34, b: 36 },
    legend: { orientation: "h", y: -0.18 },
    hoverlabel: { font: { family: face } },
    ...clean,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: face, size: 13, color: ink2 },
    width,
    height,
    dragmode: zooms ? "zoom" : false,
  };
  const title = titleOf(posted);
  if (title !== null) layout.title = { text: title, x: 0, xref: "paper", font: { size: 15, color: ink } };
  for (const key of new Set(["xaxis", "yaxis", ...Object.keys(clean).filter((key) => /^[xy]axis\d*$/.test(key))])) {
    const posted = clean[key] as Layout | undefined;
    layout[key] = { ...axis, ...posted, ...(typeof posted?.title === "string" && { title: { text: posted.title } }) };
  }
  return layout;
}

/** The title of a figure, which is a text or an object with one. */
function titleOf({ title }: Layout): string | null {
  const text = typeof title === "object" && title !== null ? (title as Layout).text : title;
  return typeof text === "string" && text.trim() !== "" ? (plotlyTexts(text) as string) : null;
}

/** A posted figure as a table: a column for each list of each trace. */
export function plotlyTable({ data }: PlotlyFigure): { heads: string[]; rows: (string | number | null)[][] } {
  const columns: { head: string; values: readonly unknown[] }[] = [];
  for (const [place, trace] of data.entries()) {
    const name = typeof trace.name === "string" && trace.name !== "" ? trace.name : `trace ${place + 1}`;
    for (const key of ["labels", "values", "x", "y", "text"]) {
      const values = trace[key];
      if (Array.isArray(values)) columns.push({ head: data.length === 1 ? key : `${name}: ${key}`, values });
    }
  }
  const length = columns.reduce((most, { values }) => Math.max(most, values.length), 0);
  return {
    heads: columns.map(({ head }) => head),
    rows: Array.from({ length }, (_, row) => columns.map(({ values }) => cellOf(values[row]))),
  };
}

function cellOf(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}
