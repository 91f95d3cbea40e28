import { expect, test } from "vitest";
import { formatFrontierGap, frontierGap } from "./frontier.ts";

const sonnet = { name: "Sonnet 5", score: 81, costPer1k: 18 };

test.each([
  [{ v: "v4", score: 83, ci: 2.7 }, 3, "v4 is 2 points above Sonnet 5, within its interval; 0.17 of its cost"],
  [{ v: "v4", score: 86, ci: 2.7 }, null, "v4 is 5 points above Sonnet 5, outside its interval; cost not known"],
  [{ v: "v1", score: 61, ci: 3 }, 18, "v1 is 20 points below Sonnet 5, outside its interval; 1.00 of its cost"],
  [{ v: "v2", score: 81, ci: 3 }, 9, "v2 is level with Sonnet 5; 0.50 of its cost"],
])("%j at $%s", (version, usdPer1k, line) => {
  expect(formatFrontierGap(frontierGap(sonnet, version, { usdPer1k }))).toBe(line);
});

test("a frontier without a score is no line to beat", () => {
  const gap = frontierGap({ name: "Sonnet 5" }, { v: "v4", score: 83 });
  expect(gap).toMatchObject({ gap: null, ahead: null, costRatio: null });
  expect(formatFrontierGap(gap)).toBe("v4 against Sonnet 5: no score to beat; cost not known");
});
