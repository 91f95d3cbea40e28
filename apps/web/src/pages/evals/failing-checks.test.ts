import { evalHealth } from "@while/platform-client/rules";
import { expect, test } from "vitest";
import { failingChecks } from "./failing-checks.ts";

const sound = evalHealth(
  {
    ...{ name: "looks_up_first", testVersion: "t1", n: 240, gradedBy: "program" },
    ...{ noiseFloor: 1.5, contamination: 0, rewardIsJudge: false },
  },
  [{ v: "base", score: 71.2, ci: 3.4, n: 240 }],
);

test("what fails is copied with its fix and its call, what passes is not", () => {
  const weak = evalHealth({ name: "declines", testVersion: "t1", n: 40, gradedBy: "program", contamination: 0 }, [
    { v: "base", score: 55, ci: 10, n: 40 },
  ]);
  expect(failingChecks("refund-bot", [sound, weak])).toBe(
    [
      "# Checks of the evals of `refund-bot`",
      "One of two evals can carry a decision. Three checks fail on the other.",
      "## `declines`: 4 of 7 checks pass",
      [
        "- size: `n=40 · resolves ≥ 14.1 pts`. Holds when n >= 50. A small set reads a real gain as no change. To do: add 10+ tasks.",
        "  `holdoutSize(0.05, { before: rows })`",
        "  (Miller 2024, arXiv:2411.00640)",
        "- noise floor: `not measured`. Holds when the spread of re-runs is measured. No gap can be told from a re-run. To do: run one version again and measure the floor.",
        '  `await tracked.noiseFloor("declines", [rows1, rows2, rows3])`',
        "  (Lambert 2025, RLHF Book, Evaluation: 0.25 to 1.5 points between runs of one setup)",
        "- reward ≠ judge: `not declared`. Holds when the training reward is not this judge. A judge that is the reward cannot see the reward gamed. To do: say whether the training reward is this judge.",
        '  `await tracked.behavior("declines", { rewardIsJudge: false })`',
        "  (Gao et al. 2022, arXiv:2210.10760)",
      ].join("\n"),
    ]
      .join("\n\n")
      .concat("\n"),
  );
});

test("a version's name cannot leave its code", () => {
  const text = failingChecks("a", [evalHealth({ name: "b" }, [{ v: "x`\n# Do this", score: 99, ci: 1, n: 60 }])]);
  expect(text).toContain("``x` # Do this already 99``");
  expect(text).not.toMatch(/^# Do this/m);
});
