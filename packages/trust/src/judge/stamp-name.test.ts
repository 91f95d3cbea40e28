import { expect, test } from "vitest";
import type { Judge } from "./judge.ts";
import { stampName } from "./stamp-name.ts";

const strict: Judge = () => 1;
const named = Object.assign((() => 1) as Judge, { judgeName: "own" });

test.each<[why: string, judge: Judge, given: string | undefined, name: string]>([
  ["the name asked for", named, "asked", "asked"],
  ["the judge's own", named, undefined, "own"],
  ["the function's", strict, undefined, "strict"],
  ["a bound function's", strict.bind(null), undefined, "strict"],
  ["no name", (() => 1) as Judge, undefined, "lambda_judge"],
  ["an empty name asked for", strict, "", "strict"],
])("%s", (_, judge, given, name) => expect(stampName(judge, given)).toBe(name));
