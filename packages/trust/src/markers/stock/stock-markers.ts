import { blockText, formatPercent, isObject, type Row, roundHalfEven, textOf } from "@while/schema";
import { TrustError } from "../../trust-error.ts";
import { withMarkers } from "../with-markers.ts";
import { STOCK_PATTERNS } from "./stock-patterns.ts";

/** The markers of this family. 1 is present: no report can compare them without being told that lower is better. */
export const STOCK_MARKERS: readonly string[] = [...STOCK_PATTERNS.keys()];

export interface StockMarkerOptions {
  /** Markers to read; all when left out. */
  names?: readonly string[];
}

export interface MarkRowsOptions extends StockMarkerOptions {
  /** Markers of one's own. One that throws leaves its marker out of that row. */
  extra?: Readonly<Record<string, (row: Row) => number>>;
}

/**
 * Whether a text shows a habit: 1 or 0.
 *
 * @deprecated `styleMarkers`, `styleReport` and `refusalReport` cover the same behaviours with 1 as clean
 * @throws TrustError `bad_option` for a name that does not exist
 */
export function detect(name: string, text: string): 0 | 1 {
  warnOnce();
  return detected(name, text);
}

/**
 * The presence of each habit in the reply of a row.
 *
 * @deprecated `styleMarkers`
 * @throws TrustError `bad_option`
 */
export function rowMarkers(row: Row, { names = STOCK_MARKERS }: StockMarkerOptions = {}): Record<string, 0 | 1> {
  warnOnce();
  return presentIn(row, names);
}

/**
 * New rows with the presence of each habit among their markers.
 *
 * @deprecated `styleMarkers`
 * @throws TrustError `bad_option`
 */
export function markRows(rows: readonly Row[], { names = STOCK_MARKERS, extra = {} }: MarkRowsOptions = {}): Row[] {
  warnOnce();
  return rows.map((row) => {
    if (!isObject(row)) return row;
    const own: Record<string, number> = {};
    for (const [name, measure] of Object.entries(extra)) {
      try {
        own[name] = measure(row);
      } catch {
        // Documented: a measure that fails has no value on this row.
      }
    }
    return withMarkers(row, { ...presentIn(row, names), ...own });
  });
}

/**
 * The share of rows in which each habit is present, to four decimals; 0 without rows, as the Python SDK has it.
 *
 * @deprecated `styleReport`
 * @throws TrustError `bad_option`
 */
export function behavioralMarkers(
  rows: readonly Row[],
  { names = STOCK_MARKERS }: StockMarkerOptions = {},
): Record<string, number> {
  warnOnce();
  const found = rows.filter(isObject).map((row) => presentIn(row, names));
  return Object.fromEntries(
    names.map((name) => {
      const n = found.filter((markers) => markers[name] === 1).length;
      return [name, found.length === 0 ? 0 : roundHalfEven(n / found.length, 4)];
    }),
  );
}

/** Rates as whole percents, a line each, the highest first. */
export function formatMarkers(rates: Readonly<Record<string, number>>): string {
  const entries = Object.entries(rates).sort(([, a], [, b]) => b - a);
  return entries.map(([name, rate]) => `${name}: ${formatPercent(rate)}`).join("\n");
}

function presentIn(row: Row, names: readonly string[]): Record<string, 0 | 1> {
  const text = replyOf(row);
  return Object.fromEntries(names.map((name) => [name, detected(name, text)]));
}

function detected(name: string, text: string): 0 | 1 {
  const patterns = STOCK_PATTERNS.get(name);
  if (patterns === undefined) {
    throw new TrustError("bad_option", `There is no stock marker ${name}.`, `They are ${STOCK_MARKERS.join(", ")}.`);
  }
  return patterns.some((pattern) => pattern.test(text)) ? 1 : 0;
}

/** The final text, else what the agent said last. */
function replyOf(row: Row): string {
  const text = textOf(row.final_text);
  if (text !== "" || !Array.isArray(row.messages)) return text;
  const said = row.messages.filter((message) => isObject(message) && message.role === "assistant");
  return said.map(({ content }) => blockText(content)).findLast((content) => content !== "") ?? "";
}

let warned = false;

function warnOnce(): void {
  if (warned) return;
  warned = true;
  const host = (globalThis as { process?: { emitWarning?: (text: string, type: string) => void } }).process;
  host?.emitWarning?.(
    "The stock markers count the presence of a habit, so that higher is worse. styleMarkers, styleReport and " +
      "refusalReport of @while/trust cover the same behaviours with 1 as clean.",
    "DeprecationWarning",
  );
}
