import { checkRows, type Row, type RowSource, splitHoldout, taskKey } from "@while/schema";
import { PROVE_EFFECT } from "@while/stats";
import { upsertAgent } from "../contract/agents.ts";
import { publishDataset } from "../contract/catalog.ts";
import { type Dataset, MODES, type Mode, PURPOSES, type Purpose } from "../contract/datasets.ts";
import { PlatformError } from "../platform-error.ts";
import { given } from "../transport/given.ts";
import type { Transport } from "../transport/transport.ts";
import type { Warn } from "../transport/warning.ts";
import { jsonlLine } from "./jsonl-line.ts";
import { smallHoldout } from "./small-holdout.ts";
import { storeLines } from "./store-lines.ts";

/** What a gate is told. */
export interface GateOptions {
  mode?: Mode;
  /** Shortcuts that somebody looked at and endorsed. */
  endorsed: readonly string[];
  /** Refuse what would otherwise be a warning. */
  strictHacks: boolean;
}

/**
 * What stands between rows and the platform, such as `publishGate` of `@while/select`: it returns the rows to upload,
 * stamped, with its report, and throws what it refuses. This package imports none; `push` is given one, or `false`.
 */
export type Gate = (rows: readonly Row[], options: GateOptions) => Gated | Promise<Gated>;

export interface Gated {
  rows: readonly Row[];
  report: unknown;
}

export interface PushRowsOptions {
  purpose?: Purpose | undefined;
  mode?: Mode | undefined;
  agent?: string | undefined;
  description?: string | undefined;
  /** Id of the set that this one was made from. */
  parent?: string | undefined;
  gate?: Gate | false | undefined;
  endorsed?: readonly string[] | undefined;
  strictHacks?: boolean | undefined;
  /** Share of tasks that go to a set of their own, `<name>-holdout`. */
  holdout?: number | undefined;
  /** The gain that a holdout should be able to show. */
  proveEffect?: number | undefined;
  /** Puts the set into the public catalog under its agent. */
  publish?: boolean | undefined;
  /** Seconds for the upload; by default two minutes and four seconds a megabyte. */
  timeoutS?: number | undefined;
}

/** `push` wants a gate, or a `false` that somebody wrote on purpose. */
export interface PushOptions extends PushRowsOptions {
  gate: Gate | false;
}

/** The set as the platform has it, with what the push knows of it. */
export interface Pushed extends Dataset {
  /** Report of the gate; null without one. */
  gate: unknown;
  /** The part that was held out; null when nothing was. */
  holdout: Pushed | null;
  /** Tasks held out. */
  holdoutTasks: number;
  card: unknown;
}

export interface PushWork {
  transport: Transport;
  warn: Warn;
}

/**
 * Uploads rows as a set. The gate looks first: when it refuses, nothing was created.
 *
 * @throws PlatformError `gate_missing`, `bad_option`, `upload_failed`, the platform's refusals; SchemaError for a row
 * that is none; what the gate throws
 */
export async function pushRows(
  { transport, warn }: PushWork,
  rows: readonly Row[],
  name: string,
  options: PushRowsOptions = {},
): Promise<Pushed> {
  const { mode, purpose, agent, description, parent, gate = false, endorsed = [], strictHacks = false } = options;
  const { holdout = 0, proveEffect = PROVE_EFFECT, publish = false, timeoutS } = options;
  checkChoices({ mode, purpose, gate, publish, agent });
  const gated = gate === false ? { rows, report: null } : await gate(rows, given({ mode, endorsed, strictHacks }));
  checkRows(gated.rows, { where: `the rows of ${name}` });
  const parts = splitHoldout(gated.rows, holdout);
  const small = purpose === "holdout" ? smallHoldout(gated.rows, proveEffect) : null;
  if (small !== null) warn(small);

  const meta = given({ name, purpose, mode, agent, description, parentDatasetId: parent });
  const dataset = await storeLines(transport, { meta, lines: new Blob(parts.train.map(jsonlLine)), timeoutS });
  const held =
    parts.holdout.length === 0 ? null : await pushHoldout({ transport, warn }, dataset, parts.holdout, name, options);
  const card = publish
    ? await transport.call(publishDataset, {
        params: { id: dataset.datasetId },
        body: given({ agent: agent!, description }),
      })
    : null;
  return {
    ...dataset,
    gate: gated.report,
    holdout: held,
    holdoutTasks: new Set(parts.holdout.map(taskKey)).size,
    card,
  };
}

/** The held-out part is the child of the train set, under the same settings and without a second gate. */
function pushHoldout(
  work: PushWork,
  train: Dataset,
  rows: readonly Row[],
  name: string,
  { mode, agent, description, proveEffect, timeoutS }: PushRowsOptions,
): Promise<Pushed> {
  const shared = { mode, agent, description, proveEffect, timeoutS };
  return pushRows(work, rows, `${name}-holdout`, { ...shared, purpose: "holdout", parent: train.datasetId });
}

/**
 * Uploads what a run, scored rows or a selection holds, with the gate that its caller names. With `agent` the tools and
 * the system prompt of the source are registered on the agent too.
 *
 * @throws PlatformError as `pushRows` does; `gate_missing` when `gate` is neither a function nor `false`
 */
export async function push(work: PushWork, source: RowSource, name: string, options: PushOptions): Promise<Pushed> {
  checkGateGiven(options);
  const mode = options.mode ?? modeOf(source.mode);
  const pushed = await pushRows(work, source.rows, name, { ...options, ...given({ mode }) });
  const { agent } = options;
  if (agent === undefined || (source.tools === undefined && source.systemPrompt === undefined)) return pushed;
  const tools = source.tools === undefined ? undefined : [...source.tools];
  const body = given({ name: agent, tools, system_prompt: source.systemPrompt });
  await work.transport.call(upsertAgent, { body });
  return pushed;
}

/** Refuses a push whose caller said nothing about the gate: plain JavaScript can leave it out. */
export function checkGateGiven(options: Partial<PushOptions> | undefined): void {
  const gate: unknown = options?.gate;
  if (typeof gate === "function" || gate === false) return;
  throw new PlatformError(
    "gate_missing",
    `gate is ${gate === undefined ? "not given" : JSON.stringify(gate)}.`,
    "Pass publishGate of @while/select, or gate: false to upload the rows as they are.",
  );
}

/** A source's mode where the platform knows it: a selection may have one of its own. */
function modeOf(mode: string | undefined): Mode | undefined {
  return MODES.find((one) => one === mode);
}

function checkChoices({ mode, purpose, gate, publish, agent }: Omit<PushRowsOptions, "holdout">): void {
  const odd =
    mode !== undefined && !MODES.includes(mode)
      ? `mode is ${JSON.stringify(mode)}; it may be ${MODES.join(", ")}.`
      : purpose !== undefined && !PURPOSES.includes(purpose)
        ? `purpose is ${JSON.stringify(purpose)}; it may be ${PURPOSES.join(", ")}.`
        : null;
  if (odd !== null) throw new PlatformError("bad_option", odd, "Nothing was uploaded.");
  if (gate !== false) checkGateGiven({ gate: gate as Gate });
  if (publish && agent === undefined) {
    throw new PlatformError("bad_option", "publish needs agent.", "Cards are listed under their agent: name it.");
  }
}
