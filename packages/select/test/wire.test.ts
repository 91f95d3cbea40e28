import { toWire } from "@while/schema";
import { expect, test } from "vitest";
import {
  calibrate,
  carryCalibration,
  filterRlRows,
  hackScan,
  nextRound,
  optimize,
  trimOutOfBand,
} from "../src/index.ts";

const rows = [1, 0, 1, 0].map((reward, i) => ({
  task_id: "t",
  prompt: "ask",
  final_text: `Reply ${i}.`,
  reward,
  privileged: { reference: "a text that is not quoted" },
}));
const keys = (report: unknown) => Object.keys(toWire(report) as object);

/** What readers of the Python SDK's reports look for; ours carry more. */
const RL_KEYS = `n privileged_leaks_dropped privileged_leaks n_after_gates gates text_gates n_after_trim
  unanimous_groups_dropped collapsed_groups_dropped n_selected groups_selected fault_kinds target band enforce_band
  band_groups_dropped band_dropped prior duplicates truncated_dropped truncated_policy truncated_kept
  truncated_penalized truncated_selected length correlations hack_scan signal eval_sourced eval_sourced_input
  calibration audit hygiene_warnings warning`.split(/\s+/);
const SFT_KEYS = `n privileged_leaks_dropped privileged_leaks n_eligible n_selected n_not_pass n_junk unique_behaviors
  behaviors_covered target selection min_reward reward_mean_eligible reward_mean_selected eval_sourced k warning
  completions_per_prompt_max completions_per_prompt_mean completions_per_prompt_median prompts_with_one_completion
  reward_spread_passing selection_effective note`.split(/\s+/);

test("a report of selectForRl has the wire's names, down to its blocks", () => {
  const { report } = optimize(rows, {
    mode: "rl",
    prior: rows,
    audit: { fnRate: 0.2, fnCi95: [0.1, 0.3], nChecked: 40 },
  });
  const wire = toWire(report) as Record<string, object>;
  expect(keys(report)).toEqual(expect.arrayContaining(RL_KEYS));
  expect(Object.keys(wire.band_dropped!)).toEqual(["too_easy", "too_hard"]);
  expect(Object.keys(wire.gates!)).toEqual(["do_nothing", "incomplete_junk", "unusable_label"]);
  expect(Object.keys(wire.text_gates!)).toEqual(["mode", "applied", "reason"]);
  expect(Object.keys(wire.prior!).sort()).toEqual([
    "dropped_solved",
    "dropped_unsolved",
    "from_policy",
    "kept",
    "prompt_set_sha",
    "rows_dropped",
    "unknown",
  ]);
  expect(Object.keys(wire.duplicates!)).toEqual(
    expect.arrayContaining(["n", "n_kept", "n_dropped", "groups_affected", "duplicate_rate", "conflicting_rewards"]),
  );
  expect(Object.keys(wire.length!)).toEqual([
    "n",
    "median_chars",
    "max_chars",
    "n_truncated",
    "n_groups_multi",
    "n_groups_wide_spread",
    "max_spread",
  ]);
  expect(Object.keys(wire.correlations!)).toEqual(["n_graded", "threshold", "correlations", "flagged", "not_read"]);
  expect(wire.calibration).toMatchObject({
    n_tasks: 1,
    n_stamped: 4,
    tasks: [{ task_id: "t", pass_rate_ci95: [0.15, 0.85] }],
  });
  expect(wire.audit).toEqual({ fn_rate: 0.2, fn_ci95: [0.1, 0.3], n_checked: 40 });
  expect(wire.privileged_leaks).toMatchObject({ checked: true, n_checked: 4, n_dropped: 0, leaked: [] });
  expect(wire.hack_scan).toMatchObject({ regime: "no_signal", n_graded: 4 });
});

test("a report of selectForSft has the wire's names", () => {
  expect(keys(optimize(rows, { mode: "sft" }).report)).toEqual(expect.arrayContaining(SFT_KEYS));
});

test("so have the smaller reports", () => {
  expect(keys(carryCalibration(rows, rows).report)).toEqual(
    expect.arrayContaining(["n_tasks", "n_rows", "n_stamped", "tasks"]),
  );
  expect(keys(calibrate(rows).report)).toEqual(
    expect.arrayContaining(["n_tasks", "n_rows", "n_stamped", "n_carried", "n_unstamped", "student", "pass_at"]),
  );
  expect(keys(filterRlRows(rows).report)).toEqual(
    expect.arrayContaining(["n", "n_kept", "n_dropped", "dropped", "kept_verified_zero"]),
  );
  expect(keys(trimOutOfBand(rows).report)).toEqual([
    "n",
    "n_kept",
    "n_dropped",
    "n_groups_dropped",
    "too_easy",
    "too_hard",
    "from_rates",
    "band",
  ]);
  expect(keys(nextRound(rows))).toEqual(
    expect.arrayContaining([
      "tasks",
      "kept",
      "dropped_solved",
      "dropped_unsolved",
      "unknown",
      "n_prior_tasks",
      "pass_rates",
      "band",
      "from_policy",
      "prompt_set_sha",
    ]),
  );
});

const SCAN_KEYS =
  `regime n_rows n_graded n_groups n_groups_multi rollouts_per_group effective_rollouts support tau n_perm
  n_features n_above_floor features top_feature rho_max endorsed endorsed_matched endorsed_on_top integrity inverted
  continuous_reward degenerate collinear distinct_per_ask warnings rivals`.split(/\s+/);
const FEATURE_KEYS = ["name", "aliases", "rho", "pooled", "n_obs", "above_floor", "endorsed"];

test("a report of hackScan has the wire's names, and those of its features", () => {
  const report = hackScan([...rows, ...rows], { minObs: 1, nPerm: 19 });
  expect(keys(report)).toEqual(expect.arrayContaining(SCAN_KEYS));
  expect(keys(report).filter((key) => /[A-Z]/.test(key))).toEqual([]);
  expect(keys(report.features[0])).toEqual(expect.arrayContaining(FEATURE_KEYS));
  expect(keys(report.features[0]).filter((key) => /[A-Z]/.test(key))).toEqual([]);
});
