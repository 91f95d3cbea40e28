import { expect, test } from "vitest";
import { CURRENT_TRL, checkTrlVersion, trlTrains } from "./trl-version.ts";

test.each([
  ["messages", "0.19.1", false, /^every token .* unless assistant_only_loss .* loss_mask column would be ignored/],
  ["messages", "1.13.0", false, /^every token .* unless assistant_only_loss is set; TRL 1\.13\.0 .* patches/],
  ["messages", "1.16.0", false, /^every token .* unless assistant_only_loss is set; TRL 1\.16\.0 .* patches/],
  ["messages", "0.19.1", true, /^assistant turns only, .* under a chat template with a {% generation %} block/],
  ["messages", "1.13.0", true, /^assistant turns only, .* patched template/],
  ["prompt_completion", "0.19.1", false, /^last assistant turn only, .* completion_mask/],
  ["prompt_completion", "1.13.0", false, /^last assistant turn only, .* completion alone/],
  ["prompt_completion", "1.16.0", false, /^last assistant turn only, .* TRL 1\.16\.0 labels the completion alone/],
] as const)(
  "what trains in %s rows under TRL %s, assistant_only_loss stated: %s",
  (columns, version, only, sentence) => {
    expect(trlTrains(columns, version, only)).toMatch(sentence);
  },
);

test("an unknown release is refused with the known ones", () => {
  expect(() => checkTrlVersion("1.2")).toThrow(
    /^invalid_option: trlVersion is "1\.2", .* 0\.19\.1, 1\.13\.0, 1\.16\.0/,
  );
});

test("sentences are for the release whose trainers the rows are given to", () => {
  expect(CURRENT_TRL).toBe("1.16.0");
});
