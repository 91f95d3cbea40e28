import { expect, test } from "vitest";
import { readScan } from "./scan-reading.ts";

const scan = {
  regime: "reward_hack",
  tau: 0.17,
  n_perm: 999,
  n_features: 40,
  endorsed: ["lookup_order"],
  top_feature: "reply_length",
  features: [
    { name: "reply_length", rho: 0.31, above_floor: true, endorsed: false },
    { name: "tool:lookup_order", rho: 0.28, above_floor: true, endorsed: true },
    { name: "n:digits", rho: -0.15, above_floor: false, endorsed: false },
    { name: "broken" },
  ],
};

test("features say whether they are meant, rivals, or no more than luck", () => {
  const reading = readScan({ hack_scan: scan })!;
  expect(reading.features).toEqual([
    { name: "reply_length", rho: 0.31, reading: "rival" },
    { name: "tool:lookup_order", rho: 0.28, reading: "endorsed" },
    { name: "n:digits", rho: -0.15, reading: "under the floor" },
  ]);
  expect(reading).toMatchObject({ tau: 0.17, shuffles: 999, more: 37, endorsed: true });
  expect(reading.says).toBe("The reward pays for something that was not endorsed.");
});

test("without endorsed features nothing is a rival", () => {
  const reading = readScan({ hack_scan: { ...scan, regime: "train", endorsed: [] } })!;
  expect(reading.features[0]!.reading).toBe("pays");
  expect(reading.says).toMatch(/^The strongest feature is reply_length\. Nothing was endorsed/);
});

test("no scan is no reading", () => {
  expect(readScan(null)).toBeNull();
  expect(readScan({ hack_scan: null })).toBeNull();
});
