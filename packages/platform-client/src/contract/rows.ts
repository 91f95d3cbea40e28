import * as z from "zod";
import { READ_RUNS, WRITE_RUNS } from "./agents.ts";
import { LARGE_BODY_MAX_BYTES, LIST_LIMIT_MAX, ROWS_MAX, ROWS_PER_CALL } from "./caps.ts";
import { count, opt } from "./field.ts";
import { queryCount, queryFlag, queryNumber, type Route, route } from "./route.ts";
import { type Example, exampleSchema } from "./scores.ts";

export interface RowsBody {
  rows: Example[];
  /** Place of the first row: a row sent to a place again replaces what was there. */
  offset: number;
  /** How many there will be in all; on the page, fewer read as incomplete. */
  expected?: number | null;
}

export const postRows: Route<RowsBody, { rows: number; total: number }> = route({
  id: "postRows",
  call: "POST /runs/{id}/evals/{behavior}/rows",
  summary: `Graded rows, at most ${ROWS_PER_CALL} a call and ${ROWS_MAX} in all.`,
  tag: "rows",
  scopes: WRITE_RUNS,
  body: z
    .object({
      rows: z.array(exampleSchema).min(1).max(ROWS_PER_CALL),
      offset: count().default(0),
      expected: opt(z.int().min(1).max(ROWS_MAX)),
    })
    .meta({ id: "RowsBody" }),
  maxBytes: LARGE_BODY_MAX_BYTES,
  answer: z.object({ rows: z.int(), total: z.int() }),
  errors: ["not_found", "too_large", "invalid_field"],
});

export const deleteRows: Route<null, { ok: true; deleted: number }> = route({
  id: "deleteRows",
  call: "DELETE /runs/{id}/evals/{behavior}/rows",
  summary: "Deletes the rows behind a score; the score stays.",
  tag: "rows",
  scopes: WRITE_RUNS,
  answer: z.object({ ok: z.literal(true), deleted: z.int() }),
  errors: ["not_found"],
});

/**
 * Which rows; `tag.<key>=<value>` filters by a tag, and may be given more than once. `min.<key>` and `max.<key>` keep
 * the rows whose tag is a number from and up to one.
 */
export interface RowsQuery {
  ok?: boolean | null;
  /** Words in any text of the row. */
  q?: string | null;
  sort?: "index" | "score" | null;
  /** Rows of which a text was cut, or the others. */
  cut?: boolean | null;
  /** Rows with a score from this one on. */
  scoreMin?: number | null;
  /** Rows with a score up to this one. */
  scoreMax?: number | null;
  /** Rows in these places of the set, at most 100 of them. */
  place?: number[] | null;
  /** Whether each row comes with how the other answers to its ask went. */
  siblings?: boolean | null;
  limit?: number | null;
  cursor?: string | null;
  [tag: `tag.${string}`]: string | string[];
  [bound: `min.${string}` | `max.${string}`]: string;
}

/** Places that one query may name. */
const PLACES_MAX = 100;
const place = queryNumber.pipe(
  z
    .int()
    .min(0)
    .max(ROWS_MAX - 1),
);

/** What filters rows in every call that reads them. */
export const rowFilterFields: z.ZodRawShape = {
  ok: opt(queryFlag),
  q: opt(z.string().max(400)),
  cut: opt(queryFlag),
  scoreMin: opt(queryNumber),
  scoreMax: opt(queryNumber),
  place: opt(z.union([place, z.array(place).max(PLACES_MAX)]).transform((one) => [one].flat())),
};

/** Filters by tag, whose keys are the sender's own. */
export const tagFilterValues: z.ZodType<string | string[]> = z.union([z.string(), z.array(z.string())]);

const rowsQuery = z
  .object({
    ...rowFilterFields,
    sort: opt(z.enum(["index", "score"])),
    siblings: opt(queryFlag),
    limit: opt(queryCount(1, LIST_LIMIT_MAX)),
    cursor: opt(z.string().max(200)),
  })
  .catchall(tagFilterValues)
  .meta({ id: "RowsQuery" }) as unknown as z.ZodType<RowsQuery>;

export interface RowsPage {
  rows: Example[];
  /** Place of each row in the set, from 0: it stays the same whatever is filtered. */
  places?: number[] | null;
  /** For each row, in the order of their places, whether every stored answer to its ask passed: where it was asked for. */
  siblings?: boolean[][] | null;
  /** Rows that match. */
  total: number;
  /** What the sender said there would be; null when it did not. */
  expected?: number | null;
  nextCursor?: string | null;
}

export const getRows: Route<null, RowsPage, RowsQuery> = route({
  id: "getRows",
  call: "GET /runs/{id}/evals/{behavior}/rows",
  summary: "Graded rows in their order; all of them without a query.",
  tag: "rows",
  scopes: READ_RUNS,
  query: rowsQuery,
  answer: z.object({
    rows: z.array(exampleSchema),
    places: opt(z.array(z.int())),
    siblings: opt(z.array(z.array(z.boolean()))),
    total: z.int(),
    expected: opt(z.int()),
    nextCursor: opt(z.string()),
  }),
  errors: ["not_found"],
});

/** Rows of one value of a tag; the interval is Wilson's. */
export interface TagCount {
  n: number;
  passed: number;
  lo: number | null;
  hi: number | null;
}

export interface RowsSummary {
  n: number;
  passed: number;
  failed: number;
  /** Tag key to value to counts; rows without the key are under `(none)`. */
  byTag: Record<string, Record<string, TagCount>>;
  /** Failed rows by their reason, word for word; the most first, and twelve at most. */
  byWhy: { why: string; n: number }[];
  /** Failed rows with another reason or none. */
  whyOther: number;
  /** Scores of the rows that have one, and how many of them are neither 0 nor 1; null where no row has a score. */
  scores: RowScores | null;
}

export interface RowScores {
  n: number;
  min: number;
  max: number;
  between: number;
}

export const getRowsSummary: Route<null, RowsSummary, RowsQuery> = route({
  id: "getRowsSummary",
  call: "GET /runs/{id}/evals/{behavior}/rows/summary",
  summary: "Counts of the rows, and by the value of each tag.",
  tag: "rows",
  scopes: READ_RUNS,
  query: rowsQuery,
  answer: z
    .object({
      n: z.int(),
      passed: z.int(),
      failed: z.int(),
      byTag: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({ n: z.int(), passed: z.int(), lo: z.number().nullable(), hi: z.number().nullable() }),
        ),
      ),
      byWhy: z.array(z.object({ why: z.string(), n: z.int() })),
      whyOther: z.int(),
      scores: z.object({ n: z.int(), min: z.number(), max: z.number(), between: z.int() }).nullable(),
    })
    .meta({ id: "RowsSummary" }),
  errors: ["not_found"],
});

/** Two versions on the tasks that both answered, in points: the mean over tasks, each compared with itself. */
export interface RowDifference {
  tasks: number;
  before: number | null;
  after: number | null;
  delta: number | null;
  ci95: [low: number, high: number] | null;
  /** Sign-flip test over tasks, ties counted half. */
  p: number | null;
  verdict: string;
}

export const FLIP_KINDS = ["changed", "fixed", "broke", "bothPassed", "bothFailed"] as const;

export interface FlipsQuery {
  /** Id of the run that came before. */
  against: string;
  /** Which pairs the page shows; `changed` are those that broke and those that were fixed. */
  kind?: (typeof FLIP_KINDS)[number] | null;
  limit?: number | null;
  cursor?: string | null;
}

/** The same asks in two runs, and which changed sides. */
export interface Flips {
  paired: number;
  unpairedBefore: number;
  unpairedAfter: number;
  bothPassed: number;
  bothFailed: number;
  /** Failed before, passed after. */
  fixed: number;
  broke: number;
  /** Exact McNemar test of `fixed` against `broke`, ties counted half; null when nothing is paired. */
  p: number | null;
  difference: RowDifference | null;
  rows: { before: Example; after: Example }[];
  /** Pairs of the kind that is shown. */
  total: number;
  nextCursor?: string | null;
}

const number = z.number().nullable();

export const getFlips: Route<null, Flips, FlipsQuery> = route({
  id: "getFlips",
  call: "GET /runs/{id}/evals/{behavior}/flips",
  summary: "The rows of a run beside those of an earlier one: what was fixed, what broke, and whether that is chance.",
  tag: "rows",
  scopes: READ_RUNS,
  query: z.object({
    against: z.string(),
    kind: opt(z.enum(FLIP_KINDS)),
    limit: opt(queryCount(1, LIST_LIMIT_MAX)),
    cursor: opt(z.string().max(200)),
  }),
  answer: z
    .object({
      paired: z.int(),
      unpairedBefore: z.int(),
      unpairedAfter: z.int(),
      bothPassed: z.int(),
      bothFailed: z.int(),
      fixed: z.int(),
      broke: z.int(),
      p: number,
      difference: z
        .object({
          tasks: z.int(),
          before: number,
          after: number,
          delta: number,
          ci95: z.tuple([z.number(), z.number()]).nullable(),
          p: number,
          verdict: z.string(),
        })
        .nullable(),
      rows: z.array(z.object({ before: exampleSchema, after: exampleSchema })),
      total: z.int(),
      nextCursor: opt(z.string()),
    })
    .meta({ id: "Flips" }),
  errors: ["not_found"],
});
