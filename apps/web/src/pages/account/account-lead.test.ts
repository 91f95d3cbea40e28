import { expect, test } from "vitest";
import { accountLead } from "./account-lead.ts";

const limits = { dailyInputTokens: null, dailyOutputTokens: null, storageBytes: 1000, datasets: 10, rows: null };
const usage = { inputTokens: 0, outputTokens: 0, storageBytes: 10, datasets: 9, rows: 0 };
const trial = {
  expires_at: "2026-10-01T12:00:00Z",
  daily_input_tokens: 1,
  daily_output_tokens: 1,
  storage_bytes: 1,
  datasets: 1,
  lift: "Sign in once to lift the limits.",
};
const resetsAt = "2026-09-20T00:00:00Z";

test("what stops first is said first, before the trial", () => {
  expect(accountLead({ usage, limits, trial, resetsAt })).toBe("Datasets: 90.0% of the limit is used.");
});

test("a trial says how long, and how it is lifted", () => {
  expect(accountLead({ usage: { ...usage, datasets: 1 }, limits, trial, resetsAt })).toMatch(
    /^A trial until .*2026\. Sign in once to lift the limits\.$/,
  );
});

test("else nothing is near", () => {
  expect(accountLead({ usage: { ...usage, datasets: 1 }, limits, trial: null, resetsAt })).toBe(
    "Nothing here is near a limit.",
  );
});
