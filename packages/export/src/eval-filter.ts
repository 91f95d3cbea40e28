import { isObject, type Row, rowKey } from "@while/schema";
import { invalidOption } from "./training-rows.ts";

/** Why an evaluation holds a row, in a word; null where it does not. `evalMatcher` of `@while/trust` makes one. */
export type AgainstEval = (row: Row) => string | null;

/** Rows left out because an evaluation holds them. */
export interface Contaminated {
  n: number;
  /** By what they were caught. */
  by: Map<string, number>;
  /** The first of them. */
  rows: string[];
}

/** Rows that a report names. */
const NAMED = 10;

/** Leaves out the rows that an evaluation holds, and counts them. */
export class EvalFilter {
  readonly #against: AgainstEval | null;
  readonly #found: Contaminated = { n: 0, by: new Map(), rows: [] };

  /** @throws ExportError `invalid_option` */
  constructor(against: AgainstEval | undefined) {
    if (against !== undefined && typeof against !== "function") {
      throw invalidOption(
        `against is ${typeof against}.`,
        "Give a function of a row, such as evalMatcher(evaluation) of @while/trust.",
      );
    }
    this.#against = against ?? null;
  }

  /** Whether the evaluation holds it. */
  has(row: Row): boolean {
    const reason = this.#against === null || !isObject(row) ? null : this.#against(row);
    if (reason === null) return false;
    const { by, rows } = this.#found;
    this.#found.n++;
    by.set(reason, (by.get(reason) ?? 0) + 1);
    if (rows.length < NAMED) rows.push(rowKey(row));
    return true;
  }

  /** For the report; null where no evaluation was given. */
  report(): Contaminated | null {
    return this.#against === null ? null : this.#found;
  }
}

/** A line of a report; nothing where no evaluation was given. */
export function contaminatedLine(found: Contaminated | undefined): string[] {
  if (found === undefined) return [];
  if (found.n === 0) return ["  no row is held by the evaluation"];
  const by = [...found.by].map(([reason, n]) => `${n} ${reason.replaceAll("_", " ")}`).join(", ");
  const more = found.n > found.rows.length ? ", …" : "";
  return [
    `  ${found.n} ${found.n === 1 ? "row" : "rows"} left out that the evaluation holds (${by}): ${found.rows.join(", ")}${more}`,
  ];
}
