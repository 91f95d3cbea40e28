import { describe, expect, test } from "vitest";
import { change, counted, half, percent, points, shortDate, shortNumber } from "./numbers.ts";

test.each([
  [83, "83.0"],
  [-5.44, "−5.4"],
  [99.96, "100.0"],
])("points(%d) is %s", (value, text) => expect(points(value)).toBe(text));

test.each([
  [5, "+5.0"],
  [-5.4, "−5.4"],
  [0, "0.0"],
  [-0.04, "0.0"],
  [0.04, "0.0"],
])("change(%d) is %s", (value, text) => expect(change(value)).toBe(text));

test.each([
  [0.9447, "0.94"],
  [0.045843, "0.046"],
  [-0.00154, "−0.0015"],
  [221.6, "222"],
  [14_628, "14,628"],
  [12_000_000, "1.20e+7"],
  [0, "0"],
])("shortNumber(%d) is %s", (value, text) => expect(shortNumber(value)).toBe(text));

test("half and percent have one decimal", () => {
  expect(half(4.46)).toBe("± 4.5");
  expect(percent(0.0432)).toBe("4.3%");
});

describe("shortDate", () => {
  const now = Date.parse("2026-11-30T12:00:00.000Z");
  test("leaves out the present year and no other", () => {
    expect(shortDate("2026-09-18T12:00:00.000Z", now)).not.toContain("2026");
    expect(shortDate("2025-09-18T12:00:00.000Z", now)).toContain("2025");
  });
});

test.each([
  [1, "1 task"],
  [0, "0 tasks"],
  [1312, "1,312 tasks"],
])("counted(%i) is %s", (value, text) => expect(counted(value, "task")).toBe(text));

test("counted takes a plural of its own", () => expect(counted(2, "reply", "replies")).toBe("2 replies"));
