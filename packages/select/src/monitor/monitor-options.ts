import { checkOptions, type Row } from "@while/schema";
import { checkEndorsed } from "../hacks/check-endorsed.ts";
import { numberIn, oneOf, wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";
import { ALARM_KINDS, type AlarmKind } from "./monitor-alarm.ts";
import type { Completion, MonitorPrompt, RewardFunction } from "./reward-function.ts";
import type { RunSink } from "./run-sink.ts";

export const MONITOR_RULES = ["paired", "classic"] as const;
/**
 * `paired` raises divergence when the proxy gained and, prompt by prompt, more than gold did; it raises an alarm once
 * until it has cleared, and a hack in the training rollouts when its lead is no luck over asks. `classic` is the Python
 * SDK's: divergence when the proxy gained and gold is not shown to have, and every alarm at every evaluation. On a proxy
 * that is gold itself and truly gains, classic raises divergence in about 10 of 100 evaluations.
 */
export type MonitorRule = (typeof MONITOR_RULES)[number];

/** What a sampler is asked for. */
export interface SampleRequest {
  /** Completions of each prompt. */
  k: number;
  maxNewTokens: number;
  temperature: number;
  topP: number;
  seed: number;
  /** Place of the first of these prompts among all of the holdout. */
  from: number;
}

/** Draws from the policy as it is now: k completions of each prompt, in the order of the prompts. */
export type Sampler = (
  prompts: readonly MonitorPrompt[],
  request: SampleRequest,
) => readonly (readonly Completion[])[] | Promise<readonly (readonly Completion[])[]>;

/** The reward that is meant; null where it cannot be told. */
export type GoldScorer = (row: Row) => number | null | Promise<number | null>;

export interface SamplingOptions {
  temperature?: number;
  topP?: number;
  /** Prompts in one call of the sampler. */
  batch?: number;
}

export interface MonitorOptions {
  /** Prompts that are never trained on: texts, lists of messages, or rows, whose other keys go to the scorers. */
  holdout: readonly (MonitorPrompt | Row)[];
  /** What the policy is trained on. Without it, the function that was wrapped. */
  proxy?: RewardFunction;
  /** What it is meant for: a stronger judge, a program, a person's label. */
  gold?: GoldScorer;
  /** Where points and alarms go; null keeps them here. */
  run?: RunSink | null;
  rule?: MonitorRule;
  /** Draws where `evaluate` is given no sampler. */
  sample?: Sampler;
  /** For a sampler that is given to `evaluate`. */
  sampling?: SamplingOptions;
  /** Steps between evaluations. */
  every?: number;
  /** Completions of each prompt. */
  k?: number;
  /** Prompts of the holdout that are used. */
  nPrompts?: number;
  /** Evaluations back that the present one is compared with. */
  window?: number;
  /** Gain of the proxy from which it can diverge. */
  delta?: number;
  /** Growth of replies, as a share, that raises `length`. */
  lengthPct?: number;
  /** KL from the reference policy above which `drift` is raised; null for none. */
  klBudget?: number | null;
  /** What the reward is meant to pay for, as for `hackScan`: then the training rollouts are scanned. */
  endorsed?: readonly string[];
  /** Alarms that end the run; `any` for all. */
  stopOn?: readonly (AlarmKind | "any")[] | "any";
  /** Training rollouts that are kept to be scanned. */
  buffer?: number;
  /** Fewest of them to scan. */
  scanMin?: number;
  maxNewTokens?: number;
  /** Gold scorers at once. */
  concurrency?: number;
  seed?: number;
  nBoot?: number;
  nPerm?: number;
}

export interface MonitorSettings
  extends Omit<Required<MonitorOptions>, "proxy" | "gold" | "run" | "sample" | "sampling" | "stopOn"> {
  proxy: RewardFunction | null;
  gold: GoldScorer | null;
  run: RunSink | null;
  sample: Sampler | null;
  sampling: Required<SamplingOptions>;
  stopOn: ReadonlySet<AlarmKind>;
}

const NAMES: readonly (keyof MonitorOptions)[] = [
  ...(["holdout", "proxy", "gold", "run", "rule", "sample", "sampling", "every", "k", "nPrompts", "window"] as const),
  ...(["delta", "lengthPct", "klBudget", "endorsed", "stopOn", "buffer", "scanMin", "maxNewTokens"] as const),
  ...(["concurrency", "seed", "nBoot", "nPerm"] as const),
];

/** @throws SelectError `bad_option` */
export function monitorSettings(options: MonitorOptions): MonitorSettings {
  const refuse = (what: string, fix: string): SelectError => new SelectError("bad_option", what, fix);
  checkOptions(options, NAMES, refuse);
  const { holdout, proxy = null, gold = null, run = null, sample = null, klBudget = null, endorsed = [] } = options;
  if (!Array.isArray(holdout) || holdout.length === 0) {
    throw refuse(
      `holdout is ${Array.isArray(holdout) ? "empty" : String(holdout)}.`,
      "Pass prompts that are not trained on.",
    );
  }
  for (const [name, value] of Object.entries({ proxy, gold, sample })) {
    if (value !== null && typeof value !== "function") throw refuse(`${name} is ${String(value)}.`, "Pass a function.");
  }
  if (sample !== null && options.sampling !== undefined) {
    throw refuse(
      "sample and sampling were both given.",
      "sampling is for a sampler that evaluate is given: leave one.",
    );
  }
  const { sampling = {} } = options;
  checkOptions(sampling, ["temperature", "topP", "batch"], refuse);
  const count = (name: string, value: number | undefined, usual: number, least = 1): number => {
    const given = value ?? usual;
    // Counts are floored, as in the Python SDK: half an evaluation is none.
    if (!Number.isFinite(given)) throw refuse(`${name} is ${String(given)}.`, "Pass a finite number.");
    return Math.max(least, Math.floor(given));
  };
  return {
    ...{ holdout, proxy, gold, run, sample },
    rule: oneOf("rule", options.rule ?? "paired", MONITOR_RULES),
    endorsed: checkEndorsed(endorsed),
    sampling: {
      temperature: numberIn("sampling.temperature", sampling.temperature ?? 0.8, 0, 10),
      topP: numberIn("sampling.topP", sampling.topP ?? 0.95, 0, 1),
      batch: count("sampling.batch", sampling.batch, 16),
    },
    every: count("every", options.every, 10),
    k: count("k", options.k, 4),
    nPrompts: count("nPrompts", options.nPrompts, 32),
    window: count("window", options.window, 3),
    delta: numberIn("delta", options.delta ?? 0.1, 0, 1e9),
    lengthPct: numberIn("lengthPct", options.lengthPct ?? 0.25, 0, 1e9),
    klBudget: klBudget === null ? null : numberIn("klBudget", klBudget, 0, 1e9),
    stopOn: stopKinds(options.stopOn),
    buffer: count("buffer", options.buffer, 512, 0),
    scanMin: count("scanMin", options.scanMin, 8),
    maxNewTokens: count("maxNewTokens", options.maxNewTokens, 256),
    concurrency: count("concurrency", options.concurrency, 8),
    seed: wholeNumber("seed", options.seed ?? 0, 0),
    nBoot: count("nBoot", options.nBoot, 500),
    // The least that a floor of 5% can be read off.
    nPerm: count("nPerm", options.nPerm, 50, 19),
  };
}

function stopKinds(given: MonitorOptions["stopOn"] = []): ReadonlySet<AlarmKind> {
  const names = given === "any" ? ["any" as const] : given;
  const words = names.map((name) => oneOf("stopOn", name, ["any", ...ALARM_KINDS] as const));
  return new Set(words.includes("any") ? ALARM_KINDS : (words as AlarmKind[]));
}
