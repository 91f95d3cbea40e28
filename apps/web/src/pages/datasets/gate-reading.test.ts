import { describe, expect, test } from "vitest";
import { readGate } from "./gate-reading.ts";

const SET = { datasetId: "ds_41c07e", mode: "rl" };
const REPORT = {
  ok: true,
  rl_shaped: true,
  mode: "rl",
  band: [0.2, 0.8],
  judge_trust: { agreement: 0.92, agreement_low: 0.874, kappa: 0.83, n_gold: 200, ok: true },
  calibration: { pass_at: { pass_at_1: 0.501, ci95: [0.46, 0.54], n_groups: 312 } },
  privileged_leaks: { checked: true, n_checked: 2496, n_leaked: 0 },
  duplicates: { n_dropped: 0 },
  length: { n_truncated: 0 },
  warnings: [
    "64 of 241 mixed asks outside the band of 20% to 80%: optimize with mode rl prunes them.",
    "Cut replies: 5 of 492. Raise the token cap, or drop or penalize cut replies.",
    "The reward pays for reply_length (r +0.59 over 1248 graded rows): check the judge.",
    "9 pairs among 18 prompts with 80% or more of their words in common: near-duplicate asks count as one ask.",
  ],
  refusal: null,
};

describe("readGate", () => {
  test("an accepted set: its shape, its warnings with calls, and what is in order", () => {
    const reading = readGate(REPORT, SET);
    expect(reading).toMatchObject({
      state: "accepted",
      warnings: 4,
      shape: "several rollouts a task, mode rl, band 20 to 80%",
      passAt1: { rate: 0.501, low: 0.46, high: 0.54, tasks: 312 },
    });
    expect(reading.notes.map(({ state, call }) => [state, call])).toEqual([
      ["warning", "wai pull ds_41c07e | wai optimize - --mode rl -o kept.jsonl"],
      ["warning", "wai pull ds_41c07e | wai optimize - --mode rl --truncated drop -o kept.jsonl"],
      ["warning", "wai pull ds_41c07e | wai hack-scan - --endorsed NAMES"],
      ["warning", null],
      ["ok", null],
      ["ok", null],
      ["ok", null],
      ["ok", null],
    ]);
    expect(reading.notes.at(-1)!.text).toBe(
      "The judge agrees with people on 92.0% of 200 labels, at least 87.4%, kappa 0.83.",
    );
  });

  test("a set for imitation is optimized for that", () => {
    const { notes } = readGate(REPORT, { ...SET, mode: "sft" });
    expect(notes[0]!.call).toBe("wai pull ds_41c07e | wai optimize - --mode sft -o kept.jsonl");
  });

  test("a warning that no command does anything about has none", () => {
    const warnings = [
      "Nothing that was counted varies inside asks over enough rollouts to be held against the reward.",
    ];
    expect(readGate({ ...REPORT, warnings }, SET).notes[0]!.call).toBeNull();
  });

  test("a refused set says why", () => {
    const refusal = "no_mixed_groups: Rollouts agree in each of 9 asks. Use a stricter rubric.";
    expect(readGate({ ...REPORT, ok: false, refusal }, SET)).toMatchObject({ state: "refused", because: refusal });
  });

  test("what is not ok is refused, whether or not it says why", () => {
    expect(readGate({ ...REPORT, ok: false }, SET)).toMatchObject({ state: "refused", because: null });
  });

  test.each([
    [null, "The gate has not read this set yet."],
    [{ not_run: "The set has 90000 rows." }, "The set has 90000 rows."],
  ])("%j is not run", (report, because) => {
    expect(readGate(report, SET)).toMatchObject({ state: "not run", because, notes: [] });
  });

  test("what could not be looked at is open, and not in order", () => {
    const { notes } = readGate(
      { ...REPORT, warnings: [], judge_trust: null, privileged_leaks: { n_checked: 0, n_leaked: 0 } },
      SET,
    );
    expect(notes.map(({ state }) => state)).toEqual(["open", "ok", "ok", "open"]);
    expect(notes.at(-1)!.call).toBe("wai pull ds_41c07e | wai judge-trust - --labels labels.jsonl");
  });

  test("a judge that people do not bear out is a warning", () => {
    const { notes } = readGate({ ...REPORT, warnings: [], judge_trust: { agreement: 0.6, ok: false } }, SET);
    expect(notes.at(-1)).toMatchObject({
      state: "warning",
      text: "The judge agrees with people on 60.0%: not to be trusted.",
    });
  });
});
