import { expect, test } from "vitest";
import { formatTrial, trialSituations } from "./trial.ts";

test.each([
  [null, 12],
  [25_000, 12],
  [1999, 1],
  [0, 12],
  [50_000, 25],
])("%s tokens a day are about %i situations", (tokens, situations) => {
  expect(trialSituations(tokens)).toBe(situations);
});

test("a trial is told with its five limits and how it is lifted", () => {
  const trial = {
    ...{ expires_at: "2026-12-07T00:00:00Z", daily_input_tokens: 25_000, daily_output_tokens: 50_000 },
    ...{ storage_bytes: 104_857_600, datasets: 10, lift: "Sign in once at https://host to lift it." },
  };
  expect(
    formatTrial(trial),
  ).toBe(`On trial until 2026-12-07: 25000 input and 50000 output tokens a day, 104857600 bytes, 10 datasets.
That is about 12 hosted situations a day; what is written on this machine counts against nothing.
Sign in once at https://host to lift it.`);
});
