import { checkOptions, cutCodePoints, type Row, textOf, toolNames, toolsCalled } from "@while/schema";
import { countOf } from "../count-of.ts";
import { StatsError } from "../stats-error.ts";
import type { Warning } from "../warning.ts";
import { gradedReward } from "./graded-reward.ts";
import { markerNames, markerValue } from "./marker-value.ts";
import { isDeadTool, toolOutcomes } from "./tool-outcomes.ts";

export type CoverageWarningCode =
  | "no_tool_calls"
  | "rows_without_calls"
  | "tool_never_called"
  | "dead_tool"
  | "empty_marker"
  | "one_reward";

export interface CoverageOptions {
  /** Schemas or names of the tools that the agent was given; without them nothing is said about tools. */
  tools?: readonly unknown[];
}

/** Prompts that a sentence quotes, and how much of each. */
const QUOTED = 3;
const QUOTED_CHARS = 60;

/**
 * What a run hardly touched, so that a number over it says less than it seems to: tools nobody called or that never
 * worked, rows without a call, markers without a value, one reward throughout. Empty when there is nothing to say.
 *
 * @throws StatsError `bad_option`
 */
export function coverageWarnings(rows: readonly Row[], options: CoverageOptions = {}): Warning<CoverageWarningCode>[] {
  checkOptions(options, ["tools"], (what, fix) => new StatsError("bad_option", what, fix));
  if (rows.length === 0) return [];
  const tools = options.tools === undefined ? [] : toolWarnings(rows, toolNames(options.tools));
  return [...tools, ...emptyMarkers(rows), ...oneReward(rows)];
}

function toolWarnings(rows: readonly Row[], declared: readonly string[]): Warning<CoverageWarningCode>[] {
  if (declared.length === 0) return [];
  const called = rows.map((row) => toolsCalled(row).filter((tool) => declared.includes(tool)));
  const without = rows.filter((_, i) => called[i]!.length === 0);
  if (without.length === rows.length) {
    const text = `no row called a tool: ${declared.join(", ")} ${declared.length === 1 ? "was" : "were"} declared`;
    return [{ code: "no_tool_calls", text }];
  }
  const warnings: Warning<CoverageWarningCode>[] = [];
  if (without.length >= 2 || without.length * 10 >= rows.length) {
    const asked = without.map(({ prompt }) => textOf(prompt)).filter((prompt) => prompt !== "");
    const quoted = [...new Set(asked)]
      .slice(0, QUOTED)
      .map((prompt) => JSON.stringify(cutCodePoints(prompt, QUOTED_CHARS)));
    const which = quoted.length === 0 ? "" : `: ${quoted.join(", ")}`;
    warnings.push({
      code: "rows_without_calls",
      text: `${without.length} of ${countOf(rows.length, "row")} called no tool${which}`,
    });
  }
  const seen = new Set(called.flat());
  const unseen = declared.filter((tool) => !seen.has(tool));
  if (unseen.length > 0)
    warnings.push({ code: "tool_never_called", text: `declared and never called: ${unseen.join(", ")}` });
  for (const [tool, outcome] of toolOutcomes(rows)) {
    if (!declared.includes(tool) || !isDeadTool(outcome)) continue;
    const { n, ok, injected } = outcome;
    const text = `${tool} worked on ${ok} of ${countOf(n - injected, "call")}: look at what answers for it`;
    warnings.push({ code: "dead_tool", text });
  }
  return warnings;
}

function emptyMarkers(rows: readonly Row[]): Warning<CoverageWarningCode>[] {
  return markerNames(rows)
    .filter((name) => rows.every((row) => markerValue(row, name) === null))
    .map((name) => ({ code: "empty_marker", text: `marker ${name} has a number on no row` }));
}

function oneReward(rows: readonly Row[]): Warning<CoverageWarningCode>[] {
  const rewards = rows.map(gradedReward).filter((reward) => reward !== null);
  if (rewards.length < 2 || new Set(rewards).size > 1) return [];
  const text = `all ${rewards.length} graded rows have the reward ${rewards[0]}: nothing tells them apart`;
  return [{ code: "one_reward", text }];
}
