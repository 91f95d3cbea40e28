import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { isNonFiniteMarker, markerNames, markerValue } from "./marker-value.ts";

const row = (markers: unknown) => ({ markers }) as Row;

test.each([
  [{ m: 0.25 }, 0.25],
  [{ m: true }, 1],
  [{ m: false }, 0],
  [{ m: "0.5" }, 0.5],
  [{ m: "x" }, null],
  [{ m: null }, null],
  [{ m: Number.NaN }, null],
  [{ m: 1e70 }, 1e70],
  [{ m: -1.8e154 }, null],
  [{}, null],
  [null, null],
  [[0.5], null],
  ["m", null],
])("markerValue of %j is %j", (markers, expected) => {
  expect(markerValue(row(markers), "m")).toBe(expected);
});

test("a marker is an own key: every object has a constructor, no row has one measured", () => {
  expect(markerValue(row({}), "constructor")).toBeNull();
});

test("a NaN, an infinity or a number beyond all measure was measured, text was not", () => {
  expect(isNonFiniteMarker(row({ m: 1e154 }), "m")).toBe(true);
  expect(isNonFiniteMarker(row({ m: -1e70 }), "m")).toBe(false);
  expect(isNonFiniteMarker(row({ m: Number.NEGATIVE_INFINITY }), "m")).toBe(true);
  expect(isNonFiniteMarker(row({ m: "NaN" }), "m")).toBe(false);
});

test("names are the union over rows in code-point order", () => {
  expect(markerNames([row({ "\u{1f600}": 1, b: 1, "": 1 }), row({ "\uff5a": 0, "10": 1, "9": 1 }), row(null)])).toEqual(
    ["10", "9", "b", "\uff5a", "\u{1f600}"],
  );
});
