import type { TrainCurve } from "@while/platform-client/contract";
import { trainCurve } from "@while/platform-client/rules";
import { expect, test } from "vitest";
import { tablePlaces, trainingSeries } from "./training-series.ts";

const curve = (points: Record<string, number>[]): TrainCurve =>
  trainCurve(
    { id: "r" },
    points.map((point, step) => ({ step, ...point })),
  );
const off = { smoothing: 0, asked: [] };

test("reward is large, with proxy and gold; the rest stands below", () => {
  const series = trainingSeries(
    curve([
      { reward: 1, kl: 0, proxy_reward: 0.5, gold_reward: 0.4, alarm_length: 1, entropy: 2, zeta: 1 },
      { reward: 2, kl: 1, completion_length: 200 },
    ]),
    { smoothing: 0, asked: ["entropy", "alarm_length", "none"] },
  );
  expect(series.main.map(({ name, look }) => [name, look])).toEqual([
    ["training reward", "raw"],
    ["proxy", "proxy"],
    ["gold", "gold"],
  ]);
  expect(series.minis.map(({ name }) => name)).toEqual(["KL to the base", "tokens per completion", "entropy"]);
  expect(series.others).toEqual(["entropy", "zeta"]);
});

test("without a reward the loss is large, and smoothing lies over it only when asked for", () => {
  const losses = curve([{ loss: 4, lr: 1 }, { loss: 2 }]);
  expect(trainingSeries(losses, off).main.map(({ name }) => name)).toEqual(["loss"]);
  const smooth = trainingSeries(losses, { smoothing: 0.5, asked: [] }).main;
  expect(smooth.map(({ look }) => look)).toEqual(["raw", "smooth"]);
  expect(smooth[1]!.values[1]).toBeCloseTo(8 / 3);
});

test("a curve of other names shows the first of them", () => {
  const series = trainingSeries(curve([{ win_rate: 1, margin: 2 }]), off);
  expect(series.main.map(({ name }) => name)).toEqual(["win_rate"]);
  expect(series.others).toEqual(["margin"]);
  expect(trainingSeries(curve([]), off)).toEqual({ main: [], minis: [], others: [] });
});

test("what a page draws by itself stands below too, and is not offered again", () => {
  const there = curve([{ loss: 1, lr: 2, entropy: 3, zeta: 4 }]);
  const series = trainingSeries(there, { ...off, asked: ["entropy", "lr"], small: ["lr", "not there"] });
  expect(series.minis.map(({ name }) => name)).toEqual(["lr", "entropy"]);
  expect(series.others).toEqual(["entropy", "zeta"]);
});

test.each([
  [3, [0, 1, 2]],
  [100, [0, 33, 66, 99]],
])("tablePlaces(%i, 4)", (length, places) => expect(tablePlaces(length, 4)).toEqual(places));
