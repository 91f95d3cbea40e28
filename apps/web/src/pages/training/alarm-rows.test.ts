import { describe, expect, test } from "vitest";
import { alarmRows, readMonitor } from "./alarm-rows.ts";

const SUMMARY = {
  hack_monitor: {
    rule: "paired",
    every: 20,
    k: 4,
    n_prompts: 64,
    window: 3,
    delta: 0.1,
    length_pct: 0.25,
    stop_on: ["divergence"],
    history: [{ step: 0, proxy: 0.62, gold: 0.61, length: 402, kl: null }, "broken", { proxy: 1 }],
    alarms: [
      { step: 140, kind: "divergence", since: 80, reason: "The proxy gained 0.110." },
      { step: "x", kind: "divergence" },
    ],
    last_scan: { regime: "reward_hack", top_feature: "reply_length", rho_max: 0.31 },
    stopped_at: { step: 140, kind: "divergence", reason: "The proxy gained 0.110." },
    failures: [{ step: 60, reason: "the endpoint was away" }],
    warnings: ["One prompt cannot be scanned."],
  },
};

describe("alarmRows", () => {
  test("what the summary explains and what the points raised, newest first, each once", () => {
    const logged = [
      { step: 140, kind: "divergence" },
      { step: 160, kind: "length" },
      { step: 160, kind: "divergence" },
    ];
    expect(alarmRows(SUMMARY, logged)).toEqual([
      { step: 160, kind: "divergence", since: null, reason: null },
      { step: 160, kind: "length", since: null, reason: null },
      { step: 140, kind: "divergence", since: 80, reason: "The proxy gained 0.110." },
    ]);
  });

  test("none", () => {
    expect(alarmRows(null, [])).toEqual([]);
    expect(alarmRows({ hack_monitor: [] }, [])).toEqual([]);
  });
});

describe("readMonitor", () => {
  test("settings, where it stopped, and what it cannot see", () => {
    expect(readMonitor(SUMMARY)).toEqual({
      rule: "paired",
      every: 20,
      prompts: 64,
      k: 4,
      window: 3,
      delta: 0.1,
      lengthPct: 0.25,
      stopOn: ["divergence"],
      stoppedAt: { step: 140, kind: "divergence" },
      scan: { regime: "reward_hack", top: "reply_length", rho: 0.31 },
      minded: ["One prompt cannot be scanned.", "The evaluation at step 60 failed: the endpoint was away"],
      history: [{ step: 0, proxy: 0.62, gold: 0.61, length: 402, kl: null }],
    });
  });

  test("null without a monitor", () => {
    expect(readMonitor({})).toBeNull();
  });
});
