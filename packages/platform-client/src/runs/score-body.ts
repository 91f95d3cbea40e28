import { EXAMPLES_MAX, ROWS_MAX } from "../contract/caps.ts";
import { checkValue } from "../contract/parse-body.ts";
import { type Example, exampleSchema, type Score, scoreSchema } from "../contract/scores.ts";
import { PlatformError } from "../platform-error.ts";
import { cutExample, cutSample, defaultSample } from "../rules/example.ts";
import { formatPoints, roundPoints } from "../rules/number-format.ts";
import { ROWS_GAP } from "../rules/rows-reading.ts";
import { MIN_N } from "../rules/verdict-gaps.ts";
import { given } from "../transport/given.ts";
import type { PlatformWarning } from "../transport/warning.ts";

export interface ScoreOptions {
  /** Half of the 95% interval, in the unit of the score. */
  ci?: number | null | undefined;
  /** Tasks behind the score. */
  n?: number | null | undefined;
  testVersion?: string | undefined;
  /** The run's own by default. */
  version?: string | undefined;
  /** Sample rows; by default failures and passes out of `rows`. */
  examples?: readonly Example[] | undefined;
  /** Every graded row behind the score. */
  rows?: readonly Example[] | undefined;
  /** `score` and `ci` are shares: 0.71 is posted as 71 points. */
  fraction?: boolean | undefined;
}

/** What is posted for a score, and what its caller should hear of. */
export interface ScorePosting {
  score: Score;
  rows: Example[] | null;
  warnings: PlatformWarning[];
}

/**
 * The call behind `run.score`: checked, in points, with its sample of rows and every text within its cap.
 *
 * @throws PlatformError `bad_value` for a score that is none, an interval below 0, no tasks, too many rows
 */
export function scoreBody(behavior: string, score: number, options: ScoreOptions = {}): ScorePosting {
  const { ci, n, testVersion, version, examples, rows, fraction = false } = options;
  const warnings: PlatformWarning[] = [];
  if (rows !== undefined && rows.length > ROWS_MAX) {
    throw new PlatformError("bad_value", `${rows.length} rows of ${behavior}.`, `Post at most ${ROWS_MAX}.`);
  }
  const graded = rows === undefined ? null : rows.map((row, i) => cutRow(row, `row ${i}`, warnings));
  const sample = examples ?? (graded === null ? undefined : defaultSample(graded));
  if (sample !== undefined && sample.length > EXAMPLES_MAX) {
    throw new PlatformError(
      "bad_value",
      `${sample.length} examples of ${behavior}.`,
      `Give at most ${EXAMPLES_MAX}; all of them go into rows.`,
    );
  }
  const body = {
    behavior,
    score: fraction ? asPoints(score, behavior) : score,
    ci: fraction && typeof ci === "number" ? roundPoints(100 * ci) : ci,
    ...{ n, testVersion, version },
    examples: sample?.map((row, i) => cutSample(cutRow(row, `example ${i}`, warnings)).example),
  };
  const checked = checkValue(scoreSchema, given(body), `the score of ${behavior}`);
  return { score: checked, rows: graded, warnings: [...warnings, ...scoreWarnings(checked, fraction, graded)] };
}

/** A row within its caps; `where` it is from, for a refusal. */
export function cutRow(row: Example, where: string, warnings: PlatformWarning[] = []): Example {
  const { example, cut } = cutExample(checkValue(exampleSchema, given(row), where));
  for (const { field, cap } of cut) {
    const how =
      field === "tags"
        ? `only the first ${cap} tags of a row are stored, and of those the beginning`
        : `${field} is stored up to ${cap} characters: its beginning and its end stay, the middle is cut`;
    warnings.push({ code: `cut_${field}`, message: `${how}. Shorten it yourself to choose what stays.` });
  }
  return example;
}

function asPoints(score: number, behavior: string): number {
  if (score >= 0 && score <= 1) return roundPoints(100 * score);
  throw new PlatformError(
    "bad_value",
    `The score of ${behavior} is ${score}, and fraction says that it is a share.`,
    "Leave fraction out: scores are points of 100.",
  );
}

function scoreWarnings(
  { behavior, score, ci, n }: Score,
  fraction: boolean,
  rows: readonly Example[] | null,
): PlatformWarning[] {
  const warnings: PlatformWarning[] = [];
  const add = (code: string, message: string) => warnings.push({ code: `${code}:${behavior}`, message });
  if (typeof ci !== "number") add("no_ci", `${behavior} has no ci: without an interval no difference is a result`);
  if (typeof n !== "number") add("no_n", `${behavior} has no n: holdoutSize says how many tasks show a gain`);
  else if (n < MIN_N) {
    add("small_n", `${behavior} rests on ${n} tasks, under ${MIN_N}: holdoutSize says how many show a gain`);
  }
  if (!fraction && score > 0 && score < 1) {
    add("share", `${behavior} is posted as ${score} points of 100; say fraction: true if it is a share`);
  }
  const passed = passedPoints(rows ?? []);
  if (passed !== null && Math.abs(passed - score) > ROWS_GAP) {
    const posted = `${behavior} is posted as ${formatPoints(score)} points`;
    add("rows_differ", `${posted}, and ${formatPoints(passed)} of 100 rows passed: is it the score of these rows?`);
  }
  return warnings;
}

function passedPoints(rows: readonly Example[]): number | null {
  return rows.length === 0 ? null : (100 * rows.filter(({ ok }) => ok).length) / rows.length;
}
