import { fingerprint, type Harness, harnessVersion } from "@while/schema";
import type { HarnessRecord } from "../contract/agents.ts";
import type { RunRecord } from "../contract/run-record.ts";
import { type RunDetail, type RunSpec, runSpecSchema } from "../contract/runs.ts";
import { given } from "../transport/given.ts";
import type { RunOptions, TrackedAgent } from "./run-options.ts";

/** The label of a run's harness, and its record with what pins it. */
export interface PinnedRun {
  label: string | undefined;
  record: RunRecord | undefined;
}

/**
 * Which harness produced a run's scores: a harness is pinned by its fingerprint and model where nobody pinned them, a
 * text is a label and pins nothing, and left out it is the agent's own.
 */
export function pinnedRun(agent: TrackedAgent, { harness, record }: RunOptions): PinnedRun {
  if (typeof harness === "string") return { label: harness, record };
  const own = harness === undefined ? agent.harness : "pin" in harness ? harness.pin() : harness;
  if (own === null) return { label: undefined, record };
  const model = own.model ?? agent.model;
  const toolsHash = harness === undefined ? agent.toolsHash : null;
  const pins = {
    harness: fingerprint(own),
    ...(model ? { model } : {}),
    ...(toolsHash ? { tools_hash: toolsHash } : {}),
    ...record?.provenance?.pins,
  };
  return { label: harnessVersion(own), record: { ...record, provenance: { ...record?.provenance, pins } } };
}

/** A harness as it is posted: named, hashed, and without what is never sent. */
export function harnessRecord(harness: Harness, toolsHash: string | null = null): HarnessRecord {
  const { instructions, tools, model } = harness;
  return given({
    label: harnessVersion(harness),
    hash: fingerprint(harness),
    toolsHash: toolsHash ?? undefined,
    instructions: instructions ?? undefined,
    tools: [...(tools ?? [])],
    model: model ?? undefined,
  });
}

/** The opening of a run that is there, for a handle to it. */
export function runSpecOf(row: RunDetail, agent: string): RunSpec {
  const { version, base, method, targets, trainedOn, harness, gpu, record, id } = row;
  const spec = { agent, version, base, method, targets, trainedOn, harness, gpu, record, id };
  const read = runSpecSchema.safeParse(given(spec));
  // A row that another server wrote by other rules: its version is what a handle cannot do without.
  return read.success ? read.data : { agent, version: String(version).slice(0, 40), id };
}
