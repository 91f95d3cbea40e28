import { expect, test } from "vitest";
import { band, list, oneOf, positive, settings, share, wholeNumber, zeroOrMore } from "./flag-values.ts";

test.each([
  [wholeNumber, "4", 4],
  [wholeNumber, "1e3", 1000],
  [zeroOrMore, "0", 0],
  [positive, "0.5", 0.5],
  [share, "0.25", 0.25],
  [share, "1", 1],
  [band, "0.2,0.8", [0.2, 0.8]],
  [band, " 0 , 1 ", [0, 1]],
  [list, "a, b,,c ", ["a", "b", "c"]],
  [settings, "a=true, b=0.5,c=x=y,d=", { a: true, b: 0.5, c: "x=y", d: "" }],
  [oneOf(["rl", "sft"]), "sft", "sft"],
])("%o reads %j", (read, text, value) => {
  expect(read(text, "--flag")).toEqual(value);
});

test.each([
  [wholeNumber, "", "a whole number of 1 or more"],
  [wholeNumber, "0", "a whole number of 1 or more"],
  [wholeNumber, "2.5", "a whole number of 1 or more"],
  [wholeNumber, "Infinity", "a whole number of 1 or more"],
  [zeroOrMore, "-1", "a whole number of 0 or more"],
  [positive, "0", "a number above 0"],
  [settings, "a", "settings as name=value"],
  [settings, "=1", "settings as name=value"],
  [share, "1.5", "a share between 0 and 1"],
  [share, "NaN", "a share between 0 and 1"],
  [band, "0.8,0.2", "the lower first"],
  [band, "0.2", "the lower first"],
  [band, "0.2,0.5,0.8", "the lower first"],
  [oneOf(["rl", "sft"]), "stf", "nearest: sft"],
])("%o refuses %j and says what it wants", (read, text, wanted) => {
  expect(() => read(text, "--flag")).toThrow(
    expect.objectContaining({ code: "bad_flag", what: `--flag got "${text}".`, fix: expect.stringContaining(wanted) }),
  );
});
