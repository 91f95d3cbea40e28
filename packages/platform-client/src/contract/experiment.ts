import * as z from "zod";
import { READ_RUNS, WRITE_RUNS } from "./agents.ts";
import { EXPERIMENT_FIELD_MAX } from "./caps.ts";
import { instant, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";

/** The claim an agent's runs are to test, in markdown: written before, replaced by the next. */
export interface Experiment {
  question: string;
  hypothesis?: string | null;
  method?: string | null;
  measure?: string | null;
  decide?: string | null;
  notes?: string | null;
  updatedAt?: string | null;
}

const field = opt(text(EXPERIMENT_FIELD_MAX));

export const experimentSchema: z.ZodType<Experiment> = z
  .object({
    question: text(EXPERIMENT_FIELD_MAX, 1),
    hypothesis: field,
    method: field,
    measure: field,
    decide: field,
    notes: field,
    updatedAt: opt(instant),
  })
  .meta({ id: "Experiment" });

export const putExperiment: Route<Experiment, Experiment> = route({
  id: "putExperiment",
  call: "PUT /agents/{id}/experiment",
  summary: "Replaces the experiment.",
  tag: "agents",
  scopes: WRITE_RUNS,
  body: experimentSchema,
  answer: experimentSchema,
  errors: ["not_found", "invalid_field"],
});

export const getExperiment: Route<null, Experiment> = route({
  id: "getExperiment",
  call: "GET /agents/{id}/experiment",
  summary: "The experiment; 404 when none was posted.",
  tag: "agents",
  scopes: READ_RUNS,
  answer: experimentSchema,
  errors: ["not_found"],
});
