import * as z from "zod";
import { COST_BASIS_MAX, GPU_MAX, MODEL_MAX, NAME_MAX } from "./caps.ts";
import { atLeast, between, count, opt, text } from "./field.ts";

/** What a run was trained on and scored on. */
export interface Data {
  train?: string | null;
  trainHash?: string | null;
  nTrain?: number | null;
  difficulty?: string | null;
  holdout?: string | null;
  holdoutHash?: string | null;
  nHoldout?: number | null;
  decontaminatedDropped?: number | null;
}

/** How it was trained. Other keys stay as they are spelled. */
export interface Optimizer {
  lossType?: string | null;
  lr?: number | null;
  beta?: number | null;
  epsilon?: number | null;
  epsilonHigh?: number | null;
  numGenerations?: number | null;
  promptsPerStep?: number | null;
  maxCompletionTokens?: number | null;
  temperature?: number | null;
  topP?: number | null;
  loraRank?: number | null;
  seed?: number | null;
  [key: string]: unknown;
}

/** How it was scored, and the facts that its cost of answering is priced from. */
export interface EvalSetup {
  metric?: string | null;
  /** Rollouts a task. */
  k?: number | null;
  /** Standard deviation between re-runs, a share; the behavior carries the band, in points. */
  runStd?: number | null;
  runStdRuns?: number | null;
  /** Who read the replies. */
  reader?: string | null;
  model?: string | null;
  inputTokens?: number | null;
  outputTokens?: number | null;
  /** Answered task attempts, which is rollouts and not model calls. */
  replies?: number | null;
  gpu?: string | null;
  gpuHours?: number | null;
  /** What the agent itself says it costs, where no fact can be priced. */
  costPer1k?: number | null;
  costBasis?: string | null;
}

/** What it was made with. */
export interface Provenance {
  /** Names and versions under keys of the sender's own. */
  pins?: Record<string, string | null> | null;
  image?: string | null;
  recipe?: string | null;
  commit?: string | null;
  paper?: string | null;
  adapter?: string | null;
}

/** The record of a run: each block is optional, and patched field by field. */
export interface RunRecord {
  data?: Data | null;
  optimizer?: Optimizer | null;
  eval?: EvalSetup | null;
  provenance?: Provenance | null;
}

const name = opt(text(NAME_MAX));
const anyCount = opt(count());

export const dataSchema: z.ZodType<Data> = z
  .object({
    train: name,
    trainHash: name,
    nTrain: anyCount,
    difficulty: name,
    holdout: name,
    holdoutHash: name,
    nHoldout: anyCount,
    decontaminatedDropped: anyCount,
  })
  .meta({ id: "RunData" });

export const optimizerSchema: z.ZodType<Optimizer> = z
  .object({
    lossType: name,
    lr: opt(z.number()),
    beta: opt(atLeast(0)),
    epsilon: opt(atLeast(0)),
    epsilonHigh: opt(atLeast(0)),
    numGenerations: opt(count(1)),
    promptsPerStep: opt(count(1)),
    maxCompletionTokens: opt(count(1)),
    temperature: opt(atLeast(0)),
    topP: opt(between(0, 1)),
    loraRank: anyCount,
    seed: opt(z.int()),
  })
  .catchall(z.unknown())
  .meta({ id: "Optimizer" });

export const evalSetupSchema: z.ZodType<EvalSetup> = z
  .object({
    metric: name,
    k: opt(count(1)),
    runStd: opt(atLeast(0)),
    runStdRuns: opt(count(1)),
    reader: name,
    model: opt(text(MODEL_MAX)),
    inputTokens: anyCount,
    outputTokens: anyCount,
    replies: opt(count(1)),
    gpu: opt(text(GPU_MAX)),
    gpuHours: opt(atLeast(0)),
    costPer1k: opt(atLeast(0)),
    costBasis: opt(text(COST_BASIS_MAX)),
  })
  .meta({ id: "EvalSetup" });

export const provenanceSchema: z.ZodType<Provenance> = z
  .object({
    pins: opt(z.record(text(NAME_MAX), text(NAME_MAX).nullable())),
    image: name,
    recipe: opt(text(4 * NAME_MAX)),
    commit: name,
    paper: name,
    adapter: opt(text(4 * NAME_MAX)),
  })
  .meta({ id: "Provenance" });

export const runRecordSchema: z.ZodType<RunRecord> = z
  .object({
    data: opt(dataSchema),
    optimizer: opt(optimizerSchema),
    eval: opt(evalSetupSchema),
    provenance: opt(provenanceSchema),
  })
  .meta({ id: "RunRecord" });
