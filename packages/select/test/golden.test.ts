import { readFileSync } from "node:fs";
import {
  behaviorSignature,
  behaviorText,
  holdoutBucket,
  isObject,
  type Row,
  splitHoldout,
  taskKey,
  toWire,
  WhileError,
} from "@while/schema";
import { groupSignal, pearson } from "@while/stats";
import { describe, expect, test } from "vitest";
import { passRateCi95 } from "../src/calibration/carry-calibration.ts";
import * as select from "../src/index.ts";
import { driftAlarm, type MonitorPoint, windowAlarms, windowStart } from "../src/monitor/window-alarms.ts";
import { isLengthConfounded } from "../src/preference/length-confound.ts";
import { bandNote, bandPrecision } from "../src/rl/band-note.ts";

interface Case {
  id: string;
  fn: string;
  // biome-ignore lint/suspicious/noExplicitAny: every function has its own input
  input: any;
  expected: unknown;
  /** One for all fields, or by field. */
  tolerance: number | Record<string, number>;
}

const cases: Case[] = JSON.parse(readFileSync(new URL("./golden/select.json", import.meta.url), "utf8"));

/** The tables were made by independent implementations; each row says how. Reports are compared in wire spelling. */
describe("golden table", () => {
  test("has its 103 cases", () => expect(cases).toHaveLength(103));

  test.each(cases)("$id $fn", async ({ fn, input, expected, tolerance }) => {
    const run = async (): Promise<unknown> => await runners[fn]!(input);
    if (isObject(expected) && typeof expected.error === "string") {
      await expect(run).rejects.toThrow(WhileError);
      await expect(run).rejects.toThrow(expected.error);
      return;
    }
    compare(await run(), expected, tolerance);
  });
});

/** Expected is a subset: fields it does not name are free. */
function compare(actual: unknown, expected: unknown, tolerances: Case["tolerance"], path = ""): void {
  if (typeof expected === "number") {
    const field = path.split(".").at(-1)!;
    const tolerance = typeof tolerances === "number" ? tolerances : (tolerances[field] ?? tolerances.default!);
    expect(actual, path).toBeTypeOf("number");
    expect(Math.abs((actual as number) - expected), `${path}: ${actual}, expected ${expected}`).toBeLessThanOrEqual(
      tolerance,
    );
  } else if (Array.isArray(expected)) {
    expect(actual, path).toHaveLength(expected.length);
    for (const [i, item] of expected.entries()) compare((actual as unknown[])[i], item, tolerances, `${path}[${i}]`);
  } else if (isObject(expected)) {
    for (const [key, value] of Object.entries(expected)) {
      if (key.endsWith("_prefix")) {
        expect(String((actual as Row)[key.slice(0, -"_prefix".length)]).startsWith(String(value)), path).toBe(true);
      } else {
        compare((actual as Row)[key], value, tolerances, `${path}.${key}`);
      }
    }
  } else {
    expect(actual, path).toEqual(expected);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: every function has its own input
const runners: Record<string, (input: any) => unknown> = {
  passRateCi95: ({ successes_n }) => successes_n.map(([passes, n]: [number, number]) => passRateCi95(passes, n)),
  carryCalibration: ({ graded, kept_indexes }) => {
    const { rows, report } = select.carryCalibration(
      graded,
      kept_indexes.map((i: number) => graded[i]),
    );
    return { report: toWire(report), stamp: rows[0]!.calibration };
  },
  calibrate: ({ rows }) => {
    const { rows: stamped, report } = select.calibrate(rows);
    const stamps = stamped.filter((row) => isObject(row.calibration) && "student" in row.calibration);
    return {
      ...pick(report),
      pass_rates: stamps.map((row) => row.calibration!.pass_rate),
      n: stamps.map((row) => row.calibration!.n),
      pass_rate_of_stamped: stamps[0]!.calibration!.pass_rate,
      n_of_stamped: stamps[0]!.calibration!.n,
    };
  },
  groupSignal: ({ rows, options }) => toWire(groupSignal(rows, options)),
  trimUnanimousGroups: ({ rows, options }) => trimmed(select.trimUnanimousGroups(rows, options)),
  trimOutOfBand: ({ rows, options }) => trimmed(select.trimOutOfBand(rows, options)),
  spreadByRate: ({ tasks, rates }) => select.spreadByRate(tasks, (task) => rates[task]),
  selectForRl: ({ rows, options }) => {
    const { rows: selected, report } = select.selectForRl(rows, options);
    return {
      ...(toWire(report) as object),
      picked_tasks: tasksOf(selected),
      duplicates_n_dropped: report.duplicates.nDropped,
      conflicting_rewards: report.duplicates.conflictingRewards,
    };
  },
  bandNote: ({ rows }) => {
    const { report } = select.selectForRl(rows);
    const note = bandNote(report.calibration.tasks);
    expect(report.hygieneWarnings.includes(String(note))).toBe(note !== null);
    const { medianN, medianHalfWidth } = bandPrecision(report.calibration.tasks)!;
    return {
      fires: note !== null,
      median_n: medianN,
      median_half_width: medianHalfWidth,
      printed_half_width: /by (\d\.\d)\./.exec(note ?? "")?.[1],
      asked_rollouts: Number(/repeats=(\d+)/.exec(note ?? "")?.[1]),
    };
  },
  nextRound: ({ prior, tasks }) => {
    const round = select.nextRound(prior, { tasks });
    return { ...(toWire(round) as object), task_keys: round.tasks.map(taskKey) };
  },
  selectForSft: ({ rows, options }) => {
    const { rows: selected, report } = select.selectForSft(rows, options);
    return {
      ...(toWire(report) as object),
      selected_texts: selected.map((row) => row.final_text),
      selected_rewards: selected.map((row) => row.reward),
    };
  },
  pearson: ({ x, y }) => pearson(x, y),
  rewardCorrelations: ({ rows }) => toWire(select.rewardCorrelations(rows)),
  dedupeGroups: ({ rows }) => {
    const { rows: kept, report } = select.dedupeGroups(rows);
    return { ...(toWire(report) as object), kept_indexes: kept.map((row) => rows.indexOf(row)) };
  },
  nearDuplicatePrompts: ({ rows, options }) => {
    const report = select.nearDuplicatePrompts(rows, options);
    return { ...(toWire(report) as object), jaccards: report.examples.map(({ jaccard }) => jaccard) };
  },
  lengthReport: ({ rows }) => toWire(select.lengthReport(rows)),
  looksFinished: ({ texts }) => texts.map(select.looksFinished),
  isTruncated: ({ rows }) => rows.map(select.isTruncated),
  replyLength: ({ rows }) => ({
    reply_length: rows.map(select.replyLength),
    tool_calls: rows.map(select.toolCallCount),
    assistant_turns: rows.map(select.assistantTurns),
  }),
  behaviorSignature: ({ rows }) =>
    rows.map((row: Row) => ({ payload: behaviorText(row), signature: behaviorSignature(row) })),
  traceFault: ({ rows }) => rows.map(select.traceFault),
  dropReason: ({ rows }) => rows.map((row: Row) => select.dropReason(row)),
  holdoutBucket: ({ keys }) => keys.map(holdoutBucket),
  splitHoldout: ({ rows, fraction }) => {
    const { train, holdout } = splitHoldout(rows, fraction);
    return {
      n_train: train.length,
      n_held: holdout.length,
      held_tasks: tasksOf(holdout),
      keys: rows.map(taskKey),
      held: rows.map((row: Row) => holdout.includes(row)),
    };
  },
  buildPreferencePairs: ({ rows, options }) => {
    const { pairs, report } = select.buildPreferencePairs(rows, options);
    const shown = pairs.map(({ chosen, rejected, ...pair }) => ({
      ...pair,
      chosen_len: select.replyLength(chosen),
      rejected_len: select.replyLength(rejected),
    }));
    return { ...(toWire(report) as object), pairs: shown };
  },
  lengthConfoundWarning: ({ chosen_longer_n }) =>
    chosen_longer_n.map(([longer, n]: [number, number]) => isLengthConfounded(longer, n)),
  // The table is of measured rates alone.
  curriculum: ({ rows, options }) => {
    const report = select.curriculum(rows, { ...options, membership: "point" });
    const ids = (tasks: readonly select.TaskStanding[]): string[] => tasks.map(({ taskId }) => taskId);
    return {
      ...(toWire(report) as object),
      retired: ids(report.retired),
      not_ready: ids(report.notReady),
      thin: ids(report.thin),
      tiers: report.tiers.map(ids),
      pass_rates: Object.fromEntries(report.trainable.map(({ taskId, passRate }) => [taskId, passRate])),
    };
  },
  retireSolved: ({ rows, options }) => {
    const kept = select.retireSolved(rows, { ...options, membership: "point" });
    return { tasks_kept: tasksOf(kept), n_rows: kept.length };
  },
  formatCurriculum: ({ rows }) => select.formatCurriculum(select.curriculum(rows, { membership: "point" })),
  groupRewardCounts: ({ rewards }) => toWire(select.groupRewardCounts(rewards)),
  partialWithinRho: (input) => toWire(select.partialWithinRho(input)),
  stratifiedScore: (input) => {
    const { u, v, pExact, ...rest } = select.stratifiedScore(input);
    return { ...(toWire(rest) as object), U: u, V: v, p_exact_two_sided: pExact };
  },
  permutationFloorExact: (input) => {
    const { nullMax, pOfBest, ...rest } = select.permutationFloorExact(input);
    return { ...(toWire(rest) as object), null_max_support: nullMax, p_exact_of_best: pOfBest };
  },
  hackScanDiff: ({ before, after, options }) => {
    const diff = select.hackScanDiff(before, after, { ...options, rules: "compat" });
    const [first] = diff.gained;
    return {
      gained_top: first!.name,
      ...(toWire(first) as object),
      lost_contains_name: diff.lost.map(({ name }) => name).find((name) => name === "tool_calls"),
      warning_contains: diff.warnings.some((warning) => /reward hack/.test(warning)) ? "reward hack" : diff.warnings,
    };
  },
  monitorWindow: ({ steps, window }) =>
    steps.map((_: number, i: number) => {
      const start = windowStart(i + 1, window);
      return start === null ? null : steps[start];
    }),
  monitorAlarms: ({ history, gold_up, window, delta, length_pct: lengthPct }) =>
    history.map((now: MonitorPoint, i: number) => {
      const start = windowStart(i + 1, window);
      const gold = { up: gold_up[i], delta: null, ci95: null };
      const settings = { rule: "classic", delta, lengthPct } as const;
      return start === null
        ? []
        : windowAlarms(history[start], now, { gold, gap: null }, settings).map(({ kind }) => kind);
    }),
  monitorDrift: ({ kl, kl_budget }) => kl.map((value: number | null) => driftAlarm(0, value, kl_budget) !== null),
  balancedPick: ({ pos_neg_keep }) =>
    pos_neg_keep.map(([right, wrong, keep]: [number, number, number]) => select.balancedPick(right, wrong, keep)),
  reinforceAda: async ({ draws = {}, options }) => {
    let round = -1;
    const result = await select.reinforceAda(
      Object.keys(draws),
      (active) => {
        round++;
        return active.map((prompt) => draws[prompt][round].map((reward: number) => ({ reward })));
      },
      options,
    );
    const groups = Object.fromEntries(result.groups);
    const each = (read: (group: (typeof groups)[string]) => unknown): object =>
      Object.fromEntries(Object.entries(groups).map(([prompt, group]) => [prompt, read(group)]));
    return {
      ...(toWire({ ...result, groups: undefined }) as object),
      groups: each((group) => ({
        ...(toWire(group) as object),
        rewards: group.kept.map(({ reward }) => reward),
      })),
      drawn: each(({ drawn }) => drawn),
      retired: each(({ retired }) => retired),
    };
  },
  publishGate: ({ rows, options }) => {
    const { report } = select.publishGate(rows, { ...options, strict: false });
    const thrown = report.ok ? null : caught(() => select.publishGate(rows, options));
    if (thrown !== null) expect(thrown).toMatchObject({ message: report.refusal, report });
    const { signal, calibration } = report;
    return {
      ...(toWire(report) as object),
      throws: thrown?.name,
      out_of_band: signal.nMixed - signal.nInBand,
      unanimous: signal.nGroups - signal.nMixed,
      n_unstamped: calibration.nUnstamped,
      n_stamped: calibration.nStamped,
      n_carried: calibration.nCarried,
    };
  },
  scanTokens: ({ texts }) => texts.map(select.scanTokens),
  autoTerms: ({ texts, top_k, min_obs }) => select.autoTerms(texts, { topK: top_k, minObs: min_obs }),
  handFeatures: ({ row }) => Object.fromEntries(select.handFeatures(row)),
  hackScan: ({ rows, options }) => {
    const report = select.hackScan(rows, { ...options, rules: "compat", topFeatures: null });
    const named = (name: string): select.ScannedFeature =>
      report.features.find((feature) => feature.name === name || feature.aliases.includes(name))!;
    const rhos = Object.fromEntries(
      report.features.flatMap(({ name, aliases, rho }) => [name, ...aliases].map((n) => [n, rho])),
    );
    const top = report.features[0];
    return {
      ...(toWire({ ...report, features: undefined }) as object),
      feature: "reply_length",
      rho: named("reply_length")?.rho,
      pooled: named("reply_length")?.pooled,
      rho_of: rhos,
      n_above_floor_at_least: Math.min(report.nAboveFloor, 3),
      rivals_start_with: report.rivals.slice(0, 2),
      rivals_warning: report.warnings.some((warning) => warning.startsWith("Rivals")),
      warnings_n: report.warnings.length,
      n_collinear: report.collinear.length,
      collinear_contains: ["tool_calls", "n:words", "reply_length"].filter((name) => report.collinear.includes(name)),
      top_feature_any_of: ["contains:bold AND contains:swift", "contains:swift AND contains:bold"].includes(
        top?.name ?? "",
      )
        ? ["contains:bold AND contains:swift", "contains:swift AND contains:bold"]
        : [top?.name],
      rho_top: top?.rho,
      top_rho: top?.rho,
      n_obs_top: top?.nObs,
      aliases_include: top?.aliases.find((alias) => alias === "tool:lookup"),
    };
  },
  probabilityInBand: ({ p_k }) => p_k.map(([p, k]: [number, number]) => select.probabilityInBand(p, k)),
  probabilityMixed: ({ p_G }) => p_G.map(([p, size]: [number, number]) => select.probabilityMixed(p, size)),
  groupGradientWeight: ({ passes_k }) =>
    passes_k.map(([passes, k]: [number, number]) => toWire(select.groupGradientWeight(passes, k))),
};

/** A calibration report without `pass_at`, which is the stats package's to test. */
function pick({ passAt: _passAt, ...report }: select.CalibrationReport): object {
  return toWire(report) as object;
}

function trimmed({
  rows,
  report: { signal: _signal, ...report },
}: {
  rows: Row[];
  report: object & { signal?: unknown };
}) {
  return { ...(toWire(report) as object), tasks_kept: tasksOf(rows) };
}

function tasksOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(taskKey))];
}

function caught(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}
