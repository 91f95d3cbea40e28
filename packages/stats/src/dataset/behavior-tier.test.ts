import { expect, test } from "vitest";
import { behaviorTier } from "./behavior-tier.ts";

test.each([
  [{ stance: "ordinary" }, "ordinary"],
  [{ stance: "hurried" }, "ordinary"],
  [{ stance: "retry" }, "ordinary"],
  [{ stance: "mistaken" }, "ordinary"],
  [{ stance: "exploratory" }, "ordinary"],
  [{ stance: "unsure" }, "ambiguous"],
  [{ user_behavior: "vague" }, "ambiguous"],
  [{ user_behavior: "underspecified" }, "ambiguous"],
  [{ stance: "conflicting" }, "boundary"],
  [{ user_behavior: "policy-push" }, "boundary"],
  [{ stance: "adversarial", user_behavior: "vague" }, "adversarial"],
  [{ stance: "", user_behavior: "malicious" }, "adversarial"],
  [{ stance: null, user_behavior: "forbidden" }, "adversarial"],
  [{ tool: "lookup_order" }, "unlabelled"],
  [{ stance: "sarcastic" }, "unlabelled"],
  [{ stance: "__proto__" }, "unlabelled"],
  [{}, "unlabelled"],
  [null, "unlabelled"],
  ["adversarial", "unlabelled"],
])("behaviorTier of %j is %s", (scenario_dimensions, tier) => {
  expect(behaviorTier({ scenario_dimensions })).toBe(tier);
});

test("a row without dimensions is unlabelled, whatever else it says", () => {
  expect(behaviorTier({ tier: "ordinary" })).toBe("unlabelled");
});
