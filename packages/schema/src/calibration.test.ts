import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Calibration, calibrationOf, calibrationSchema, calibrationStamp, policyRef } from "./calibration.ts";
import { sha256Hex } from "./hash/sha256.ts";

const stamped = (change: object) => calibrationOf({ task_id: "t", calibration: { n: 8, pass_rate: 0.5, ...change } });

describe("a stamp whose rate or count cannot be read is no stamp", () => {
  test.each([
    [{ pass_rate: true }],
    [{ pass_rate: "" }],
    [{ pass_rate: null }],
    [{ pass_rate: -0.1 }],
    [{ pass_rate: Number.NaN }],
    [{ n: 2.5 }],
    [{ n: 0 }],
    [{ n: true }],
    [{ n: "many" }],
  ])("%j", (change) => {
    expect(stamped(change)).toBeNull();
  });
});

test.each([
  [
    [0.2, 0.8],
    [0.2, 0.8],
  ],
  [[0.8, 0.2], null],
  [[0.50003, 0.50001], null],
  [[-0.1, 0.8], null],
  [[0.6, 0.8], null],
  // Bounds are rounded to four decimals, so half of the last one is no contradiction.
  [
    [0.50004, 0.8],
    [0.50004, 0.8],
  ],
  [[0.2], null],
  [["0.2", "0.8"], null],
])("the interval %j on a rate of 0.5 reads as %j and never costs the stamp", (given, expected) => {
  const read = stamped({ pass_rate_ci95: given });
  expect(read?.passRateCi95).toEqual(expected);
  expect(read?.passRate).toBe(0.5);
});

test("the task falls back to the row's own", () => {
  expect(stamped({})?.taskId).toBe("t");
  expect(stamped({ task_id: "other" })?.taskId).toBe("other");
});

const policies = fc.record({
  name: fc.string(),
  model: fc.option(fc.string({ minLength: 1 })),
  promptHash: fc.option(fc.string({ minLength: 1 })),
  version: fc.option(fc.string({ minLength: 1 })),
});

const calibrations: fc.Arbitrary<Calibration> = fc.record({
  taskId: fc.string({ minLength: 1 }),
  student: policies,
  n: fc.integer({ min: 1, max: 64 }),
  passRate: fc.constant(0.5),
  meanKl: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
  passRateCi95: fc.option(fc.constant<[number, number]>([0.25, 0.75])),
  extra: fc.dictionary(fc.constantFrom("bucket", "__proto__", "note"), fc.jsonValue({ maxDepth: 1 })),
});

test("a stamp written and read is the same calibration, unknown keys included", () => {
  fc.assert(
    fc.property(calibrations, (calibration) => {
      const stamp = calibrationStamp(calibration);
      expect(calibrationSchema.safeParse(stamp).success).toBe(true);
      expect(JSON.stringify(calibrationOf({ calibration: stamp }))).toBe(JSON.stringify(calibration));
    }),
  );
});

test.each([
  [undefined, { name: "", model: null, promptHash: null, version: null }],
  ["", { name: "", model: null, promptHash: null, version: null }],
  ["Be brief.", { name: "", model: null, promptHash: sha256Hex("Be brief.").slice(0, 16), version: null }],
  [
    { name: "a", prompt_hash: "h" },
    { name: "a", model: null, promptHash: "h", version: null },
  ],
  [
    { model: "m", promptHash: "h", version: "v" },
    { name: "", model: "m", promptHash: "h", version: "v" },
  ],
])("policyRef(%j) is %j", (policy, expected) => {
  expect(policyRef(policy)).toEqual(expected);
});
