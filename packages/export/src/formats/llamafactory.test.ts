import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import { preferenceLines } from "../preference/preference-lines.ts";

const ask = { role: "user", content: "q" } as const;
const say = (content: string) => ({ role: "assistant", content }) as const;
const call = (id: string, content = "") => ({
  role: "assistant" as const,
  content,
  tool_calls: [id, `${id}2`].map((each) => ({
    id: each,
    type: "function" as const,
    function: { name: "f", arguments: '{"x": 1}' },
  })),
});
const answer = (id: string) => ({ role: "tool", content: `r${id}`, tool_call_id: id }) as const;

test("parallel calls are a list in one function_call, their answers one observation", () => {
  const messages = [{ role: "system", content: "S" }, ask, call("a"), answer("a"), answer("a2"), say("ok")];
  const { lines, report } = exportLines([{ messages } as never], { format: "llamafactory" });
  expect(JSON.parse(lines[0]!)).toEqual({
    conversations: [
      { from: "human", value: "q" },
      {
        from: "function_call",
        value: '[{"name": "f", "arguments": {"x": 1}}, {"name": "f", "arguments": {"x": 1}}]',
      },
      { from: "observation", value: "ra\n</tool_response>\n<tool_response>\nra2" },
      { from: "gpt", value: "ok" },
    ],
    system: "S",
  });
  expect(report).toMatchObject({ alternationDropped: 0, textBesideCall: 0, trainedMessages: 2, requires: [] });
});

test.each([
  ["two asks in a row", [ask, ask, say("x")]],
  ["an agent that opens", [say("x"), ask, say("y")]],
  ["a late system message", [ask, { role: "system", content: "S" }, say("x")]],
])("a row with %s is dropped and counted, since the trainer would skip it in silence", (_, messages) => {
  const rows = [{ messages }, { messages: [ask, say("x")] }] as never;
  const { lines, report } = exportLines(rows, { format: "llamafactory" });
  expect(lines).toHaveLength(1);
  expect(report).toMatchObject({ n: 1, rowsIn: 2, alternationDropped: 1 });
  expect(report.warnings.map(({ code }) => code)).toEqual(["alternation_dropped"]);
  expect(() => exportLines([{ messages }] as never, { format: "llamafactory" })).toThrow(
    /^empty_export: None of 1 rows is left: the turns of 1 do not alternate/,
  );
});

test("final: the conversation ends at the turn that trains, and mask_history must be set", () => {
  const rows = [{ messages: [ask, say("x"), ask, say("y"), ask] }];
  const { report } = exportLines(rows, { format: "llamafactory", maskMode: "final" });
  expect(report).toMatchObject({ trainedMessages: 1, maskedMessages: 3, trailingMessagesDropped: 1 });
  expect(report.requires).toEqual([expect.objectContaining({ setting: "mask_history", value: "true" })]);
  expect(report.warnings.map(({ code }) => code)).toEqual(["requires"]);
  const set = { format: "llamafactory", maskMode: "final", trainerConfig: { mask_history: true } } as const;
  expect(exportLines(rows, set).report.warnings).toEqual([]);
});

test("pairs: text beside a call in the shared part goes and is counted, on a side the pair is refused", () => {
  const shared = [ask, call("a", "Looking."), answer("a"), answer("a2")];
  const told = preferenceLines([{ chosen: [...shared, say("yes")], rejected: [...shared, say("no")] } as never], {
    format: "llamafactory",
  });
  expect(told.report).toMatchObject({ pairs: 1, textBesideCall: 1 });
  expect(told.report.warnings.map(({ code }) => code)).toEqual(["text_beside_call"]);
  const beside = [{ chosen: [ask, call("a", "Looking.")], rejected: [ask, say("no")] }];
  expect(() => preferenceLines(beside, { format: "llamafactory" })).toThrow(/a side says something beside its call/);
  const openings = [{ chosen: [ask, say("a"), say("b")], rejected: [ask, say("a"), say("c")] }];
  expect(() => preferenceLines(openings, { format: "llamafactory" })).toThrow(/do not alternate/);
});
