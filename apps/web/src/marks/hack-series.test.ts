import { expect, test } from "vitest";
import { hackSeries, isHackSeries } from "./hack-series.ts";

test("proxy, gold and alarms of a curve, and where the two part", () => {
  expect(
    hackSeries({
      steps: [0, 20, 40, 60, 80],
      series: {
        proxy_reward: [0.5, 0.6, 0.62, 0.8, 0.9],
        gold_reward: [0.4, 0.55, 0.6, 0.6, 0.59],
        alarm_divergence: [null, null, null, null, 1],
        alarm_length: [null, null, null, 1, 0],
      },
    }),
  ).toMatchObject({
    alarms: [
      { step: 60, kind: "length" },
      { step: 80, kind: "divergence" },
    ],
    divergedAt: 40,
  });
});

test("a curve without a monitor has none of it", () => {
  expect(hackSeries({ steps: [0, 1], series: { entropy: [1, 2] } })).toEqual({
    ...{ proxy: null, gold: null, alarms: [], divergedAt: null },
  });
});

test("an alarm without readings is where it is", () => {
  expect(hackSeries({ steps: [0, 1], series: { alarm_divergence: [null, 1] } }).divergedAt).toBe(1);
});

test.each([
  ["proxy_reward", true],
  ["gold_reward", true],
  ["alarm_drift", true],
  ["alarm_", false],
  ["entropy", false],
])("isHackSeries(%s) is %s", (name, is) => expect(isHackSeries(name)).toBe(is));
