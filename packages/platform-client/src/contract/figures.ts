import * as z from "zod";
import { type Deleted, deletedSchema, READ_RUNS, WRITE_RUNS } from "./agents.ts";
import { FIGURE_CAPTION_MAX, FIGURE_MAX_TRACES, FIGURE_TRACE_TYPES } from "./caps.ts";
import { freeObject, instant, named, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";
import { runId } from "./runs.ts";

/** A Plotly figure: traces, and how they are laid out. */
export interface PlotlyFigure {
  data: Record<string, unknown>[];
  layout: Record<string, unknown>;
}

/** A picture beside the numbers. Nothing reads a number from it. */
export interface Figure {
  name: string;
  caption?: string | null;
  /** Run it belongs to. */
  run?: string | null;
  figure: PlotlyFigure;
  updatedAt?: string | null;
}

/** A trace that names no type is a scatter. */
const trace: z.ZodType<Record<string, unknown>> = freeObject
  .refine((value) => value.type === undefined || FIGURE_TRACE_TYPES.includes(value.type as string), {
    error: `has a type other than ${FIGURE_TRACE_TYPES.join(", ")}`,
    path: ["type"],
  })
  .meta({ properties: { type: { enum: FIGURE_TRACE_TYPES } } });

export const plotlyFigureSchema: z.ZodType<PlotlyFigure> = z
  .object({ data: z.array(trace).min(1).max(FIGURE_MAX_TRACES), layout: freeObject.default({}) })
  .meta({ id: "PlotlyFigure" });

export const FIGURE_NAME: RegExp = /^[a-z0-9][a-z0-9-]{0,39}$/;

export const figureName: z.ZodType<string> = named(FIGURE_NAME, 'lower-case letters, digits and "-", 1 to 40');

export interface NewFigure {
  figure: PlotlyFigure;
  caption?: string | null;
  run?: string | null;
}

export const newFigureSchema: z.ZodType<NewFigure> = z
  .object({ figure: plotlyFigureSchema, caption: opt(text(FIGURE_CAPTION_MAX)), run: opt(runId) })
  .meta({ id: "NewFigure" });

export const figureSchema: z.ZodType<Figure> = z
  .object({
    name: figureName,
    caption: opt(text(FIGURE_CAPTION_MAX)),
    run: opt(z.string()),
    figure: plotlyFigureSchema,
    updatedAt: opt(instant),
  })
  .meta({ id: "Figure" });

export const putFigure: Route<NewFigure, Figure> = route({
  id: "putFigure",
  call: "PUT /agents/{id}/figures/{name}",
  summary: "Replaces the figure of this name; some layout keys are dropped.",
  tag: "figures",
  scopes: WRITE_RUNS,
  body: newFigureSchema,
  answer: figureSchema,
  errors: ["not_found", "too_large", "invalid_field"],
});

export const listFigures: Route<null, { figures: Figure[] }> = route({
  id: "listFigures",
  call: "GET /agents/{id}/figures",
  summary: "Figures by name.",
  tag: "figures",
  scopes: READ_RUNS,
  answer: z.object({ figures: z.array(figureSchema) }),
  errors: ["not_found"],
});

export const deleteFigure: Route<null, Deleted> = route({
  id: "deleteFigure",
  call: "DELETE /agents/{id}/figures/{name}",
  summary: "Deletes one figure.",
  tag: "figures",
  scopes: WRITE_RUNS,
  answer: deletedSchema,
  errors: ["not_found"],
});
