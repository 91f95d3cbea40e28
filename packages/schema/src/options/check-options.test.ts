import { expect, test } from "vitest";
import { SchemaError } from "../schema-error.ts";
import { checkOptions } from "./check-options.ts";
import { nearestName } from "./nearest-name.ts";

const refuse = (what: string, fix: string) => new SchemaError("bad_option", what, fix);

test.each([
  ["min_k", "minK"],
  ["minKK", "minK"],
  ["mnik", "minK"],
  ["inferrence", "inference"],
  ["Seed", "seed"],
  ["zzz", null],
  ["", null],
])("nearestName(%j) is %j", (word, expected) => {
  expect(nearestName(word, ["k", "minK", "inference", "seed"])).toBe(expected);
});

test("a known name passes, whatever its value", () => {
  expect(() => checkOptions({ seed: undefined }, ["seed"], refuse)).not.toThrow();
});

test("an unknown name is refused with the one that was meant", () => {
  expect(() => checkOptions({ inferrence: "strict" }, ["seed", "inference"], refuse)).toThrow(
    "There is no option inferrence. Did you mean inference? The options are seed, inference.",
  );
});

test("an unknown name that is near no other is refused with the list", () => {
  expect(() => checkOptions({ verbose: true }, ["seed"], refuse)).toThrow("no option verbose. The options are seed.");
});
