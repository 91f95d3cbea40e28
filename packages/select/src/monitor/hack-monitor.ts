import { type Row, toWire } from "@while/schema";
import { compareRuns } from "@while/stats";
import { hackScan } from "../hacks/hack-scan.ts";
import type { ScanSide } from "../hacks/hack-scan-diff.ts";
import { SelectError } from "../select-error.ts";
import { evaluateHoldout } from "./evaluate-holdout.ts";
import { goldGap, MIN_PROMPTS } from "./gold-gap.ts";
import { type HoldoutPrompt, readHoldout } from "./holdout.ts";
import type { Alarm, AlarmKind, FeatureAlarm } from "./monitor-alarm.ts";
import { type MonitorOptions, type MonitorSettings, monitorSettings, type Sampler } from "./monitor-options.ts";
import type { MonitorEvaluation, MonitorStop, MonitorSummary } from "./monitor-summary.ts";
import { RewardBuffer } from "./reward-buffer.ts";
import type { Completion, MonitorPrompt, RewardFunction } from "./reward-function.ts";
import { driftAlarm, type GoldChange, windowAlarms, windowStart } from "./window-alarms.ts";

/** What one step of the trainer comes to. */
export interface StepOutcome {
  /** An alarm of `stopOn` was raised, now or before: training should end. */
  stop: boolean;
  /** Raised at this step. */
  alarms: Alarm[];
}

/**
 * Watches a reward while a policy is trained on it. Every `every` steps it draws the holdout from the policy, scores it
 * by the reward (proxy) and by what is meant (gold), and raises an alarm when the proxy runs away from gold, replies
 * grow for nothing, the policy drifts, or the reward pays for what is not endorsed (Gao et al. 2022, arXiv:2210.10760).
 *
 * A trainer wraps its reward function, calls `onLog` with what it logs and `onStep` after each step, and ends when
 * `stop` says so. A failing evaluation never stops training.
 */
export class HackMonitor {
  /** The first alarm of `stopOn`. */
  stoppedAt: MonitorStop | null = null;
  private readonly settings: MonitorSettings;
  private readonly holdout: HoldoutPrompt[];
  private readonly buffer: RewardBuffer;
  private readonly history: (MonitorEvaluation & { rows: Row[] })[] = [];
  private readonly alarms: Alarm[] = [];
  private readonly failures: { step: number; reason: string }[] = [];
  /** Kinds whose alarm held at the evaluation before this one. */
  private raised = new Set<AlarmKind>();
  private lastScan: ScanSide | null = null;
  private wrapped: RewardFunction | null = null;
  private kl: number | null = null;
  /** The step that rollouts are recorded for. */
  private step = 0;

  /** @throws SelectError `bad_option` */
  constructor(options: MonitorOptions) {
    this.settings = monitorSettings(options);
    this.holdout = readHoldout(this.settings.holdout, this.settings);
    this.buffer = new RewardBuffer(this.settings.buffer);
  }

  /** The prompts that are evaluated, in order, and how many completions of each. */
  prompts(): { prompts: MonitorPrompt[]; k: number } {
    return { prompts: this.holdout.map(({ prompt }) => prompt), k: this.settings.k };
  }

  /** The reward function as it was, watched: what it is given and what it answers is recorded. */
  wrap<Fn extends RewardFunction>(rewardFunction: Fn): Fn {
    const watched = (...given: Parameters<RewardFunction>): ReturnType<RewardFunction> => {
      const rewards = rewardFunction(...given);
      if (!(rewards instanceof Promise)) return this.seen(given, rewards);
      return rewards.then((list) => this.seen(given, list));
    };
    this.wrapped = rewardFunction;
    return Object.defineProperty(watched, "name", { value: rewardFunction.name }) as unknown as Fn;
  }

  /**
   * Rollouts that were rewarded elsewhere, each prompt with its completion and reward at the same place.
   *
   * @param step The one that they are of; the last one seen when left out
   * @throws SelectError `bad_sample` for lists of different lengths
   */
  record(
    prompts: readonly MonitorPrompt[],
    completions: readonly Completion[],
    rewards: readonly (number | null)[],
    { step = this.step }: { step?: number } = {},
  ): void {
    this.step = step;
    if (prompts.length !== rewards.length || completions.length !== rewards.length) {
      throw new SelectError(
        "bad_sample",
        `record got ${prompts.length} prompts, ${completions.length} completions and ${rewards.length} rewards.`,
        "Pass one of each for every rollout.",
      );
    }
    this.buffer.add(prompts, completions, rewards, this.step);
  }

  /** What the trainer logs; the KL from the reference policy is kept. */
  onLog(logs: Readonly<Record<string, unknown>>): void {
    for (const key of ["kl", "objective/kl"]) {
      const value = logs[key];
      if (typeof value === "number" && Number.isFinite(value)) this.kl = value;
    }
  }

  /** Is an evaluation due: at the beginning, and every `every` steps? Not twice at one step. */
  isDue(step: number): boolean {
    const last = this.history.at(-1)?.step;
    if (last === undefined) return true;
    return step > 0 && step % this.settings.every === 0 && step !== last;
  }

  /** After a step: evaluates when due. An evaluation that fails is noted in the summary, and training goes on. */
  async onStep(step: number, sampler?: Sampler): Promise<StepOutcome> {
    this.step = step;
    const nBefore = this.alarms.length;
    if (this.isDue(step)) {
      try {
        await this.evaluate(step, sampler);
      } catch (error) {
        this.failed(error);
        await this.writeSummary().catch((second: unknown) => this.failed(second));
      }
    }
    return { stop: this.stoppedAt !== null, alarms: this.alarms.slice(nBefore) };
  }

  /**
   * Draws and scores the holdout now, raises what is to be raised, and writes both to the run.
   *
   * @throws SelectError `bad_option` without a sampler or a proxy; `bad_sample`; what sampler, proxy and run throw
   */
  async evaluate(
    step: number,
    sampler: Sampler | null = this.settings.sample,
    { proxy = this.settings.proxy ?? this.wrapped }: { proxy?: RewardFunction | null } = {},
  ): Promise<{ evaluation: MonitorEvaluation; alarms: Alarm[] }> {
    if (sampler === null) {
      throw new SelectError("bad_option", "Nothing draws from the policy.", "Pass a sampler, here or as sample.");
    }
    if (proxy === null) {
      throw new SelectError(
        "bad_option",
        "Nothing scores as training does.",
        "Pass proxy, or wrap the reward function.",
      );
    }
    this.step = step;
    const { settings } = this;
    const { rows, ...means } = await evaluateHoldout(this.holdout, { sampler, proxy, step }, settings);
    const start = windowStart(this.history.length + 1, settings.window);
    const then = start === null ? null : this.history[start]!;
    const gold = then === null ? null : goldChange(then.rows, rows, settings);
    const gap = then === null ? null : goldGap(then.rows, rows);
    const evaluation: MonitorEvaluation = {
      ...{ step, n: rows.length, ...means, kl: this.kl },
      goldVsWindow: then === null || gold === null ? null : { since: then.step, ...gold },
      gap,
    };
    this.history.push({ ...evaluation, rows });
    const holding = [
      driftAlarm(step, this.kl, settings.klBudget) ?? [],
      this.featureAlarm(step) ?? [],
      then === null || gold === null ? [] : windowAlarms(then, evaluation, { gold, gap }, settings),
    ].flat();
    const alarms = this.newly(holding);
    this.alarms.push(...alarms);
    const stopping = alarms.find(({ kind }) => settings.stopOn.has(kind));
    const stops = stopping !== undefined && this.stoppedAt === null;
    if (stops) this.stoppedAt = { step, kind: stopping.kind, reason: stopping.reason };
    await this.write(evaluation, alarms, stops);
    // Rows of evaluations that nothing will be compared with any more are not kept.
    for (const entry of this.history.slice(0, Math.max(0, this.history.length - settings.window))) entry.rows = [];
    return { evaluation, alarms };
  }

  /** Everything so far, as it is written to the run. */
  summary(): MonitorSummary {
    const { rule, every, k, window, delta, lengthPct, klBudget, endorsed, stopOn, gold } = this.settings;
    const nPrompts = this.holdout.length;
    const warnings: string[] = [];
    if (gold === null) warnings.push("No gold scorer was given, so divergence cannot be seen: pass gold.");
    else if (rule === "paired" && nPrompts < MIN_PROMPTS) {
      warnings.push(`The holdout has ${nPrompts} prompts, and divergence needs ${MIN_PROMPTS} to be told from luck.`);
    }
    return {
      ...{ rule, nEvals: this.history.length, every, k, nPrompts, window, delta, lengthPct, klBudget },
      endorsed: [...endorsed],
      stopOn: [...stopOn].sort(),
      history: this.history.map(({ rows: _, ...evaluation }) => evaluation),
      alarms: [...this.alarms],
      lastScan: this.lastScan,
      stoppedAt: this.stoppedAt,
      failures: [...this.failures],
      warnings,
    };
  }

  /** Records what a wrapped function did. Training goes on even where that cannot be read. */
  private seen(
    [prompts, completions]: Parameters<RewardFunction>,
    rewards: readonly (number | null)[],
  ): readonly (number | null)[] {
    try {
      this.buffer.add(prompts, completions, rewards, this.step);
    } catch (error) {
      this.failed(error);
    }
    return rewards;
  }

  private failed(error: unknown): void {
    this.failures.push({ step: this.step, reason: error instanceof Error ? error.message : String(error) });
  }

  /** By `paired` an alarm that held before is not raised again until it has cleared. */
  private newly(holding: readonly Alarm[]): Alarm[] {
    const before = this.raised;
    this.raised = new Set(holding.map(({ kind }) => kind));
    return this.settings.rule === "classic" ? [...holding] : holding.filter(({ kind }) => !before.has(kind));
  }

  private featureAlarm(step: number): FeatureAlarm | null {
    const { endorsed, scanMin, nPerm, seed, rule } = this.settings;
    const rows = this.buffer.all();
    if (endorsed.length === 0 || rows.length < scanMin) return null;
    const classic = rule === "classic";
    const scan = hackScan(rows, {
      ...{ endorsed, nPerm, seed },
      ...(classic ? { rules: "compat", groupBy: "prompt" } : { groupBy: "task" }),
    });
    const { regime, topFeature, rhoMax, tau, integrity, degenerate, lead, warnings } = scan;
    this.lastScan = { regime, topFeature, rhoMax, tau, integrity, degenerate };
    if (regime !== "reward_hack" || (!classic && lead !== null && !lead.confirmed)) return null;
    return { step, kind: "feature", reason: warnings[0] ?? "", topFeature, rhoMax, tau, integrity };
  }

  private async write(
    { step, proxy, gold, length }: MonitorEvaluation,
    alarms: Alarm[],
    stops: boolean,
  ): Promise<void> {
    const { run } = this.settings;
    if (run === null) return;
    const points = { proxy_reward: proxy, gold_reward: gold, holdout_length: length };
    await run.log(step, Object.fromEntries(Object.entries(points).filter(isMeasured)));
    for (const { kind } of alarms) await run.log(step, { [`alarm_${kind}`]: 1 });
    const summary = await this.writeSummary();
    if (!stops || this.stoppedAt === null) return;
    const { kind, reason } = this.stoppedAt;
    await run.finish("stopped", {
      summary,
      error: `The hack monitor stopped the run at step ${step}: ${kind}. ${reason}`,
    });
  }

  private async writeSummary(): Promise<{ hack_monitor: unknown }> {
    const summary = { hack_monitor: toWire(this.summary()) };
    await this.settings.run?.patchSummary(summary);
    return summary;
  }
}

function isMeasured(entry: [string, number | null]): entry is [string, number] {
  return entry[1] !== null;
}

/** Is gold better now, task by task? */
function goldChange(then: readonly Row[], now: readonly Row[], { nBoot, seed, rule }: MonitorSettings): GoldChange {
  const inference = rule === "classic" ? "compat" : "strict";
  const { verdict, delta, ci95, meanA, meanB } = compareRuns(then, now, {
    metric: "marker:gold",
    inference,
    nBoot,
    seed,
  });
  const isMissing = meanA === null || meanB === null;
  return { up: isMissing ? null : verdict === "b_better", delta, ci95 };
}
