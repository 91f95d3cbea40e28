import { isObject, type Row, roundHalfEven } from "@while/schema";
import { type Interval, metricSummary, type Warning } from "@while/stats";
import { GROUNDING_MARKER, type NotStamped, notStamped } from "../marker-families.ts";
import type { MarkerRules } from "../marker-rules.ts";
import { withMarkers } from "../with-markers.ts";
import { collapsed } from "./argument-leaves.ts";
import { type GroundingOptions, groundingReader } from "./ground-arguments.ts";
import { ungroundedOf } from "./ungrounded-arguments.ts";

/** An argument that was made up, over the rows. */
export interface InventedArgument {
  /** `tool.key`, positions of lists as `*`. */
  argument: string;
  /** Rollouts, and values in them. The Python SDK gives the second as `rows`. */
  rows: number;
  calls: number;
  /** The first value seen. */
  example: string | number;
}

export type GroundingWarningCode = "degenerate" | "no_calls" | "truncated";

/** Where arguments come from, over the rows. */
export interface GroundingReport {
  rules: MarkerRules;
  rows: number;
  rowsWithCalls: number;
  /** Rows with nothing made up, of all; null without rows. Rows without calls are grounded. */
  groundedRate: number | null;
  /** Mean over tasks of the same, and its interval; null under three tasks and where all rows are alike. */
  clean: number | null;
  ci95: Interval | null;
  degenerate: boolean;
  nCalls: number;
  /** Arguments that were checked, and those of them that were made up. */
  nChecked: number;
  nUngrounded: number;
  /** At most ten, the most frequent first. */
  invented: InventedArgument[];
  /** Parameters that hold text of the agent's own, and were not checked. */
  assumedFreeText: string[];
  /** Rows with arguments too deep or too many to be read whole. */
  truncated: number;
  warnings: Warning<GroundingWarningCode>[];
  notStamped: NotStamped[];
}

const MAX_INVENTED = 10;

/**
 * How many rollouts call a tool with values that nothing explains, and which arguments those are. Training that rewards
 * a call also rewards one with made-up values.
 *
 * @throws TrustError `bad_option`
 */
export function groundingReport(rows: readonly Row[], options: GroundingOptions = {}): GroundingReport {
  const read = groundingReader(options);
  const { rules = "v2" } = options;
  const invented = new Map<string, InventedArgument>();
  const freeText = new Set<string>();
  const stamped: Row[] = [];
  let [rowsWithCalls, nGrounded, nCalls, nChecked, nUngrounded, truncated] = [0, 0, 0, 0, 0, 0];
  for (const row of rows) {
    if (!isObject(row)) continue;
    const found = read(row);
    if (found.nCalls > 0) rowsWithCalls++;
    nCalls += found.nCalls;
    nChecked += found.checked.length;
    if (found.cut) truncated++;
    for (const name of found.freeText) freeText.add(name);
    const ungrounded = ungroundedOf(found.checked);
    nUngrounded += ungrounded.length;
    if (ungrounded.length === 0) nGrounded++;
    stamped.push(withMarkers({ ...row, markers: {} }, { [GROUNDING_MARKER]: ungrounded.length === 0 ? 1 : 0 }));
    const here = new Set<string>();
    for (const { tool, key, value, repeats = 0 } of ungrounded) {
      const argument = `${tool}.${collapsed(key.split("."))}`;
      const entry = invented.get(argument) ?? { argument, rows: 0, calls: 0, example: value };
      entry.calls += 1 + repeats;
      if (!here.has(argument)) entry.rows++;
      here.add(argument);
      invented.set(argument, entry);
    }
  }
  const inference = rules === "v1" ? "compat" : "strict";
  const { mean, ci95, degenerate } = metricSummary(stamped, `marker:${GROUNDING_MARKER}`, { inference });
  const n = stamped.length;
  return {
    ...{ rules, rows: n, rowsWithCalls, groundedRate: n === 0 ? null : roundHalfEven(nGrounded / n, 4) },
    ...{ clean: mean, ci95: degenerate ? null : ci95, degenerate, nCalls, nChecked, nUngrounded },
    invented: [...invented.values()].sort((a, b) => b.rows - a.rows || b.calls - a.calls).slice(0, MAX_INVENTED),
    assumedFreeText: [...freeText].sort(),
    truncated,
    warnings: warningsOf(n, rowsWithCalls, degenerate, truncated),
    notStamped: notStamped([GROUNDING_MARKER], rules, "markGrounding"),
  };
}

function warningsOf(
  n: number,
  rowsWithCalls: number,
  degenerate: boolean,
  truncated: number,
): Warning<GroundingWarningCode>[] {
  const warnings: Warning<GroundingWarningCode>[] = [];
  if (n > 0 && rowsWithCalls === 0) {
    warnings.push({
      code: "no_calls",
      text: "no row has a tool call: nothing was checked; give rows with their steps or messages",
    });
  } else if (degenerate) {
    warnings.push({
      code: "degenerate",
      text: `${GROUNDING_MARKER} is the same on all ${n} rows: it has no interval and has not shown that it can change; keep it out of must_not_regress until then`,
    });
  }
  if (truncated > 0) {
    warnings.push({
      code: "truncated",
      text: `${truncated} rows have arguments that lie too deep or are too many, read in part`,
    });
  }
  return warnings;
}
