import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { billsOf } from "./bills.ts";

const run = (version: string, method: string | null, costUsd: number | null) =>
  ({ version, method, costUsd }) as RunRow;

test("bills are summed over the runs of a version, and one that is not posted is not 0", () => {
  expect(
    billsOf([
      run("v4", "GRPO", null),
      run("v3", "GRPO", 30),
      run("v3", "GRPO", 30.5),
      run("v3", "GRPO", null),
      run("v1", "eval", null),
      run("base", "eval", 1.19),
    ]),
  ).toEqual([
    { version: "v4", runs: 1, total: null, unposted: 1 },
    { version: "v3", runs: 3, total: 60.5, unposted: 1 },
    { version: "base", runs: 1, total: 1.19, unposted: 0 },
  ]);
});
