import { expect, test } from "vitest";
import { exportLines } from "./export-lines.ts";
import { trainingRows } from "./training-rows.ts";

const rows = [{ prompt: "q", final_text: "a" }];

test.each([
  [{ maskmode: "final" }, /^invalid_option: There is no option maskmode\. Did you mean maskMode\?/],
  [{ pushTo: "me/set" }, /^invalid_option: There is no option pushTo/],
  [{ maxToolOutputChars: -1 }, /^invalid_option: maxToolOutputChars is -1/],
  [{ maxToolOutputChars: 0.5 }, /^invalid_option/],
  [{ maxToolOutputChars: Number.NaN }, /^invalid_option/],
  [{ maskMode: "all" }, /^mask_mode_unknown/],
  [{ tools: "f" }, /^invalid_option: tools is string and not a list/],
  [{ format: "trl", maskMode: () => true }, /^mask_unsupported: trl rows cannot say turn by turn/],
  [{ format: "trl", carry: "some" }, /^invalid_option: carry is "some"/],
  [{ format: "trl", argumentsAs: "text" }, /^invalid_option: argumentsAs is "text"/],
  [{ format: "trl", toolsAs: "text" }, /^invalid_option: toolsAs is "text"/],
  [{ format: "trl", toolsAs: "string", trlVersion: "0.19.1" }, /^invalid_option: toolsAs is for newer releases/],
  [{ format: "trl", chatTemplateKwargs: {}, trlVersion: "0.19.1" }, /^invalid_option: chatTemplateKwargs is for newer/],
  [{ format: "trl", trainerConfig: [] }, /^invalid_option: trainerConfig is no object/],
  [{ argumentsAs: "string" }, /^invalid_option: The format openai has no use for argumentsAs/],
])("exportLines refuses %j", (options, message) => {
  expect(() => exportLines(rows, options as never)).toThrow(message);
});

test("trainingRows has no options of files", () => {
  expect(() => trainingRows(rows, { format: "trl" } as never)).toThrow(/^invalid_option: There is no option format/);
});

test.each([["rows.jsonl"], [null], [{ rows: 1 }]])("%j is no list of rows", (source) => {
  expect(() => trainingRows(source as never)).toThrow(/^invalid_option: The source is/);
});

test("turns that a row keeps out of the loss are refused where the shape cannot say so, and unrolled where asked", () => {
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "scripted" },
    { role: "user", content: "q2" },
    { role: "assistant", content: "mine" },
  ];
  const source = [{ messages, train_turns: [1], scenario_id: "s", rollout_index: 2 }];
  expect(() => exportLines(source, { format: "trl" })).toThrow(
    /^mask_unsupported: trl rows cannot say turn by turn what trains, and row 0 \(s#2\) keeps some out/,
  );
  const unrolled = exportLines(source, { format: "trl", unroll: true });
  expect(unrolled.lines.map((line) => JSON.parse(line).completion[0].content)).toEqual(["mine"]);
  expect(exportLines(source).report).toMatchObject({ trainedMessages: 1, turnsHeldOut: 1 });
});
