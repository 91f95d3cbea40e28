import { cutCodePoints, type Row } from "@while/schema";
import type { JudgeContext, JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { codeOf } from "./code-of.ts";
import { type QueryAnswer, type ResultSet, resultSetOf, sameRows } from "./result-set.ts";
import { type CheckResult, type ReferenceOptions, type Verifier, verifierOf } from "./verifier.ts";

/** Runs a query against the row's database, which it must leave as it was. Ours to call, the caller's to open. */
export type RunQuery = (query: string, row: Row, context: JudgeContext) => QueryAnswer | Promise<QueryAnswer>;

export interface ExecutionMatchOptions extends ReferenceOptions {
  run: RunQuery;
  /** The rows must come in the reference's order. */
  ordered?: boolean;
  /** The columns must have the reference's names. */
  columnNames?: boolean;
  /** How far two numbers may be apart. */
  tol?: number;
}

/**
 * The query in the reply gives the rows that the reference gives: as often each, in any order, whatever the columns are
 * called. The reference is a query too, or its rows. A query that fails scores 0; a reference that fails is null.
 *
 * Equal rows on one database are not equal queries: an empty result matches an empty one. Run on data that tells them
 * apart (Zhong et al. 2020, arXiv:2010.02840).
 *
 * @throws TrustError `bad_option` for a tolerance that is negative or not finite
 */
export function executionMatch({
  run,
  ordered = false,
  columnNames = false,
  tol = 1e-6,
  field,
}: ExecutionMatchOptions): Verifier<Promise<JudgeVerdict>> {
  if (!(tol >= 0 && Number.isFinite(tol)))
    throw new TrustError("bad_option", `tol is ${tol}.`, "Give a number from 0 up.");
  const check = async (
    candidate: string,
    reference: unknown,
    row: Row,
    context: JudgeContext,
  ): Promise<CheckResult> => {
    const want = await wanted(reference, (query) => run(query, row, context));
    const query = codeOf(candidate).trim();
    if (query === "") return [0, "no query in the reply"];
    let answer: unknown;
    try {
      answer = await run(query, row, context);
    } catch (error) {
      return [0, `the query failed: ${messageOf(error)}`];
    }
    const got = resultSetOf(answer);
    if (got === null) return [0, "the query gives no rows"];
    if (shapeOf(got) !== shapeOf(want)) return [0, `got ${shapeOf(got)}, want ${shapeOf(want)}`];
    if (columnNames && got.columns?.join("\n") !== want.columns?.join("\n")) return [0, "the columns have other names"];
    const isSame = sameRows(got.rows, want.rows, { ordered, tol });
    return isSame ? [1, `${shapeOf(got)} as wanted`] : [0, `${shapeOf(got)} as wanted, with other values`];
  };
  const options = { settings: { ordered, columnNames, tol } };
  return verifierOf("ExecutionMatch", check, field === undefined ? options : { ...options, field });
}

async function wanted(reference: unknown, run: (query: string) => unknown): Promise<ResultSet> {
  let answer = reference;
  if (typeof reference === "string") {
    try {
      answer = await run(codeOf(reference).trim());
    } catch (error) {
      throw new TrustError(
        "cannot_verify",
        `The reference's query failed: ${messageOf(error)}`,
        "Mend the reference.",
        {
          cause: error,
        },
      );
    }
  }
  const want = resultSetOf(answer);
  if (want !== null) return want;
  throw new TrustError("cannot_verify", "The reference gives no rows.", "Give a query, or rows as lists or objects.");
}

/** Shapes are what a reason may say of a key. */
function shapeOf({ columns, rows }: ResultSet): string {
  const width = columns?.length ?? rows[0]?.length ?? 0;
  return rows.length === 0 ? "no rows" : `${rows.length} x ${width}`;
}

function messageOf(error: unknown): string {
  return cutCodePoints(error instanceof Error ? error.message : String(error), 200);
}
