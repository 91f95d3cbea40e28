import { expect, test } from "vitest";
import { isCalculator, namesId, wordsOf } from "./argument-keys.ts";
import { argumentLeaves, collapsed } from "./argument-leaves.ts";
import { readDays } from "./read-dates.ts";
import { numberOf, phoneDigits, readClock, readNumbers } from "./read-numbers.ts";
import { schemaValues } from "./schema-values.ts";

test.each([
  // text in normal form, year-month-day, null for no year
  ["2024-05-20", ["2024-5-20"]],
  ["may 20th", ["null-5-20"]],
  ["the 20th of may, 2024", ["2024-5-20"]],
  ["20 may", ["null-5-20"]],
  ["may 20, 2024", ["2024-5-20"]],
  ["sept. 3", ["null-9-3"]],
  ["may 10-12", ["null-5-10", "null-5-11", "null-5-12"]],
  ["5/20", ["null-5-20"]],
  ["3/4/86", ["1986-3-4", "1986-4-3"]],
  ["14/03/1986", ["1986-3-14"]],
  ["may i have 3", []],
  ["2024-13-45", []],
  ["at 5:20", []],
])("readDays(%j)", (text, days) => {
  expect(readDays(text).map(({ year, month, day }) => `${year}-${month}-${day}`)).toEqual(days);
});

test.each([
  ["$1,000.50 and -3", [1000.5, -3]],
  ["2k", [2000]],
  ["three bags", [3]],
  ["ord-4017", [4017]],
  ["a100 1.2.3", []],
  ["1 000", [1000, 1, 0]],
])("readNumbers(%j)", (text, values) => {
  expect(
    readNumbers(text)
      .map(({ value }) => value)
      .sort((a, b) => b - a),
  ).toEqual(values.sort((a, b) => b - a));
});

test.each([
  ["$1,000.00", 1000],
  ["12%", 12],
  ["15", 15],
  ["eur 7", 7],
  ["a7", null],
  ["1,00", null],
  ["0007", null],
  ["0.5", 0.5],
  ["9007199254740993", null],
])("numberOf(%j) is %j", (text, value) => expect(numberOf(text)).toBe(value));

test.each([
  ["3pm", [900]],
  ["15:00", [900]],
  ["3:30 p.m.", [930]],
  ["noon", [720]],
  ["3:00", [180, 900]],
  ["7", []],
  ["26:00", []],
])("readClock(%j)", (text, minutes) => expect(readClock(text).map(({ value }) => value)).toEqual(minutes));

test.each([
  ["(415) 555-0134", "4155550134"],
  ["+1 415 555 0134", "14155550134"],
  ["12345", null],
  ["call me", null],
])("phoneDigits(%j) is %j", (text, digits) => expect(phoneDigits(text)).toBe(digits));

test("keys and names are read by their words", () => {
  expect(wordsOf("flightNumber2_id")).toEqual(["flight", "number2", "id"]);
  expect([namesId(["flight_number"]), namesId(["line_number"]), namesId(["ids", "0"]), namesId(["paid"])]).toEqual([
    ...[true, false, true, false],
  ]);
  expect([isCalculator("calculate_total"), isCalculator("compute_engine_vm"), isCalculator("summary")]).toEqual([
    ...[true, true, false],
  ]);
});

test("values of arguments, depth first, and the pattern of their path", () => {
  const { leaves } = argumentLeaves({ a: [{ b: 1 }, "x"], c: null });
  expect(leaves.map(({ path, value }) => [path.join("."), value])).toEqual([
    ["a.0.b", 1],
    ["a.1", "x"],
    ["c", null],
  ]);
  expect(collapsed(["a", "0", "b"])).toBe("a.*.b");
});

test("what a schema names for a parameter, also in lists and choices", () => {
  const parameters = {
    properties: {
      legs: {
        items: { properties: { cabin: { anyOf: [{ enum: ["economy"] }, { const: "any" }], default: "first" } } },
      },
    },
  };
  const row = { tools: [{ function: { name: "book", parameters } }, { name: "flat", input_schema: parameters }] };
  for (const tool of ["book", "flat"]) {
    expect(schemaValues(row, tool, ["legs", "0", "cabin"])).toEqual(["first", "economy", "any"]);
  }
  expect([schemaValues(row, "other", ["legs"]), schemaValues(row, "book", ["toString"])]).toEqual([[], []]);
});
