import { isObject } from "@while/schema";
import { FIGURE_CAPTION_MAX, FIGURE_DROPPED_LAYOUT_KEYS, FIGURE_MAX_BYTES } from "../contract/caps.ts";
import { FIGURE_NAME, type NewFigure, newFigureSchema, type PlotlyFigure } from "../contract/figures.ts";
import { checkValue } from "../contract/parse-body.ts";
import { PlatformError } from "../platform-error.ts";
import { given } from "../transport/given.ts";

export interface FigureOptions {
  caption?: string | undefined;
  /** Run it belongs to. */
  run?: string | undefined;
}

/** A Plotly figure: `{ data, layout }`, or an object that gives one by `toJSON()` or `toPlotlyJSON()`. */
export type FigureLike = { data: unknown; layout?: unknown } | { toJSON(): unknown } | { toPlotlyJSON(): unknown };

/**
 * The call behind `tracked.figure`, checked before anything is sent: typed arrays become lists, dates ISO text, NaN and
 * infinities gaps, and layout keys that a page does not draw are dropped.
 *
 * @throws PlatformError `bad_value`
 */
export function figureBody(name: string, figure: FigureLike, { caption, run }: FigureOptions = {}): NewFigure {
  const refuse = (what: string, fix: string) => new PlatformError("bad_value", what, fix);
  if (!FIGURE_NAME.test(name)) {
    throw refuse(`A figure is called ${JSON.stringify(name)}.`, 'Use 1 to 40 lower-case letters, digits and "-".');
  }
  const plotly = plotlyOf(figure);
  if (!isObject(plotly) || !("data" in plotly)) {
    throw refuse(`The figure ${name} is ${typeName(figure)}.`, "Give { data, layout }, or an object with toJSON().");
  }
  const layout = plotly.layout ?? {};
  if (!isObject(layout)) throw refuse(`The layout of ${name} is ${typeName(layout)}.`, "Give an object.");
  const drawn = Object.entries(layout).filter(([key]) => !FIGURE_DROPPED_LAYOUT_KEYS.includes(key));
  const plain = plainValue({ data: plotly.data, layout: Object.fromEntries(drawn) }, name) as unknown as PlotlyFigure;
  const bytes = new TextEncoder().encode(JSON.stringify(plain)).length;
  if (bytes > FIGURE_MAX_BYTES) {
    throw refuse(`The figure ${name} has ${bytes} bytes of ${FIGURE_MAX_BYTES}.`, "Draw fewer points, or split it.");
  }
  if (caption !== undefined && [...caption].length > FIGURE_CAPTION_MAX) {
    throw refuse(
      `The caption of ${name} has ${[...caption].length} characters.`,
      `Give at most ${FIGURE_CAPTION_MAX}.`,
    );
  }
  return checkValue(newFigureSchema, given({ figure: plain, caption, run }), `the figure ${name}`);
}

function plotlyOf(figure: unknown): unknown {
  const { to_plotly_json: python, toPlotlyJSON, toJSON } = (figure ?? {}) as Record<string, unknown>;
  const method = [python, toPlotlyJSON, toJSON].find((one) => typeof one === "function");
  const json = method === undefined ? figure : (method as () => unknown).call(figure);
  return typeof json === "string" ? JSON.parse(json) : json;
}

/** The value as JSON holds it. */
function plainValue(value: unknown, name: string): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return plainValue(Array.from(value as Float64Array), name);
  if (Array.isArray(value)) return value.map((item) => plainValue(item === undefined ? null : item, name));
  if (isObject(value) && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([key, item]) => [key, plainValue(item, name)]));
  }
  throw new PlatformError(
    "bad_value",
    `The figure ${name} holds ${typeName(value)}.`,
    "Give numbers, texts, dates, lists and plain objects.",
  );
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  const name = typeof value === "object" ? (value.constructor?.name ?? "an object") : typeof value;
  return `of type ${name}`;
}
