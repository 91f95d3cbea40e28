import type { Row, RowSource } from "@while/schema";
import { type OptimizeOptions, optimize, type Selection } from "./optimize.ts";
import { SelectError } from "./select-error.ts";
import { checkSftRule, type SftRule } from "./sft/sft-options.ts";

/** Rejection sampling as one thing to hand around: which of the passing replies, from which reward, by which draw. */
export interface Rejection {
  select?: SftRule;
  minReward?: number;
  seed?: number;
}

export type SelectOptions = OptimizeOptions & {
  /** The rule of mode sft: its name, or with its settings. */
  rule?: SftRule | Rejection;
};

/**
 * `optimize` with the rule of rejection sampling as one option. The selection is a `RowSource`, so it can be exported,
 * pushed and selected from.
 *
 * @throws SelectError `unknown_rule` in either mode; `bad_option` for a rule in mode rl; what `optimize` throws
 */
export function select(source: readonly Row[] | RowSource, options: SelectOptions = {}): Selection {
  const { rule, ...rest } = options;
  if (rule === undefined) return optimize(source, rest as OptimizeOptions);
  const rejection: Rejection = typeof rule === "string" ? { select: rule } : rule;
  if (typeof rejection !== "object" || rejection === null) {
    throw new SelectError(
      "bad_option",
      `rule is ${String(rule)}.`,
      "Pass the name of a rule, or { select, minReward }.",
    );
  }
  if (rejection.select !== undefined) checkSftRule(rejection.select);
  return optimize(source, { ...rest, ...rejection } as OptimizeOptions);
}
