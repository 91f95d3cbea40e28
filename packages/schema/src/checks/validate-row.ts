import { calibrationOf } from "../calibration.ts";
import { fromMessages } from "../conversation/from-messages.ts";
import { isObject } from "../is-object.ts";
import type { Message, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { isKnownVersion } from "./known-versions.ts";
import { versionOf } from "./shape.ts";

/** What a row is to be used as. */
export type RowKind = "row" | "training" | "preference";

/** `loose` finds what breaks a reader; `strict` also what makes a number wrong, for use in CI. */
export type CheckLevel = "loose" | "strict";

export interface ValidateOptions {
  kind?: RowKind;
  level?: CheckLevel;
}

export interface CheckRowsOptions extends ValidateOptions {
  /** Where the rows are from, for the message: a file name, or what made them. */
  where?: string;
}

/** Bad rows that an error lists. */
const MAX_LISTED = 5;

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

const MARKER_NAME = /^[a-z0-9_.]+$/;

/**
 * What is wrong with a row, as codes; none when it is fine. Never throws.
 *
 * Loose finds what the Python SDK's validator finds: wrong types, and an unknown version. A row without version is
 * from before versions and passes. Strict checks such rows too, and adds missing keys, rewards and markers that are
 * not finite or leave [0, 1], step and message shapes, a reward whose judge did not answer, and unanswered calls.
 */
export function validateRow(row: unknown, { kind = "row", level = "loose" }: ValidateOptions = {}): string[] {
  if (!isObject(row)) return ["not_a_dict"];
  if (Object.keys(row).length === 0) return ["empty_row"];
  const version = versionOf(row);
  if (!isKnownVersion(row)) return [`unknown_schema_version:${version}`];

  const strict = level === "strict";
  if (kind === "training") return trainingProblems(row, strict);
  if (kind === "preference") return preferenceProblems(row);
  if (!strict) return version === "0" ? [] : typeProblems(row);
  return [...typeProblems(row), ...strictProblems(row)];
}

/**
 * Refuses rows that `validateRow` finds fault with.
 *
 * @param rows Rows, or one row
 * @throws SchemaError `schema_invalid`, which names the first five bad rows by index, their codes, and how many
 *   there are
 */
export function checkRows(rows: Row | readonly Row[], { where = "rows", ...options }: CheckRowsOptions = {}): void {
  const list: readonly unknown[] = Array.isArray(rows) ? rows : [rows];
  const listed: string[] = [];
  let nBad = 0;
  for (const [index, row] of list.entries()) {
    const problems = validateRow(row, options);
    if (problems.length === 0) continue;
    nBad++;
    if (listed.length < MAX_LISTED) listed.push(`${index}:${problems.join(",")}`);
  }
  if (nBad === 0) return;
  throw new SchemaError(
    "schema_invalid",
    `schema_invalid in ${where}: ${listed.join("; ")} (${nBad} of ${list.length} rows).`,
    "Repair these rows, or leave them out.",
  );
}

function typeProblems(row: Record<string, unknown>): string[] {
  const problems: string[] = [];
  if (isGiven(row.prompt) && typeof row.prompt !== "string") problems.push("prompt_not_str");
  if (isGiven(row.steps) && !Array.isArray(row.steps)) problems.push("steps_not_list");
  if (isGiven(row.final_text) && typeof row.final_text !== "string") problems.push("final_text_not_str");
  if (typeof row.reward === "boolean") problems.push("reward_is_bool");
  else if (isGiven(row.reward) && typeof row.reward !== "number") problems.push("reward_not_number");
  if (isGiven(row.calibration) && calibrationOf(row) === null) problems.push("calibration_invalid");
  return problems;
}

function strictProblems(row: Record<string, unknown>): string[] {
  const problems: string[] = [];
  for (const key of ["prompt", "steps", "final_text"]) {
    if (!isGiven(row[key])) problems.push(`${key}_missing`);
  }
  const { reward, gold_reward: gold, rollout_index: index } = row;
  if (typeof reward === "number") {
    if (!Number.isFinite(reward)) problems.push("reward_not_finite");
    else if (reward < 0 || reward > 1) problems.push("reward_out_of_range");
    const status = row.judge_status ?? "ok";
    if (status !== "ok") problems.push(`reward_with_judge_status:${status}`);
  }
  if (isObject(row.markers)) problems.push(...markerProblems(row.markers));
  if (Array.isArray(row.steps)) {
    for (const [i, step] of row.steps.entries()) if (!isStep(step)) problems.push(`step_${i}_shape`);
  }
  if (isGiven(index) && !(Number.isInteger(index) && Number(index) >= 0)) problems.push("rollout_index_not_int");
  if (isGiven(gold) && gold !== 0 && gold !== 1) problems.push("gold_reward_invalid");
  if (Array.isArray(row.messages)) problems.push(...roleProblems(row.messages));
  return problems;
}

function markerProblems(markers: Record<string, unknown>): string[] {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(markers)) {
    if (!MARKER_NAME.test(name)) problems.push(`marker_name:${name}`);
    if (value === null) continue;
    if (typeof value !== "number" || !Number.isFinite(value)) problems.push(`marker_not_finite:${name}`);
    else if (value < 0 || value > 1) problems.push(`marker_out_of_range:${name}`);
  }
  return problems;
}

function roleProblems(messages: readonly unknown[]): string[] {
  return messages.flatMap((message, i) => (isObject(message) && ROLES.has(message.role) ? [] : [`message_${i}_role`]));
}

function trainingProblems(row: Record<string, unknown>, strict: boolean): string[] {
  const problems: string[] = [];
  const messages = Array.isArray(row.messages) ? row.messages : [];
  if (messages.length === 0) problems.push("messages_missing");
  if (messages.some((message) => !isObject(message) || typeof message.role !== "string" || message.role === "")) {
    problems.push("message_without_role");
  }
  if (isGiven(row.tools) && !Array.isArray(row.tools)) problems.push("tools_not_list");
  if (isGiven(row.loss_mask) && !isLossMask(row.loss_mask, messages.length)) problems.push("loss_mask_invalid");
  return strict ? [...problems, ...roleProblems(messages), ...unansweredCalls(messages)] : problems;
}

function unansweredCalls(messages: readonly unknown[]): string[] {
  const { steps } = fromMessages(messages as readonly Message[]);
  return steps
    .filter((step) => typeof step.tool === "string" && !("result" in step))
    .map(({ id, tool }) => `unanswered_tool_call:${id ?? tool}`);
}

function preferenceProblems(row: Record<string, unknown>): string[] {
  return ["chosen", "rejected"]
    .filter((side) => !Array.isArray(row[side]) || row[side].length === 0)
    .map((side) => `${side}_missing`);
}

/** Requires one of the three keys that make a step what it is. */
function isStep(step: unknown): boolean {
  return isObject(step) && ["user", "tool", "text"].some((key) => typeof step[key] === "string");
}

function isLossMask(mask: unknown, nMessages: number): boolean {
  return Array.isArray(mask) && mask.length === nMessages && mask.every((entry) => entry === 0 || entry === 1);
}

/** null reads as absent. */
function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}
