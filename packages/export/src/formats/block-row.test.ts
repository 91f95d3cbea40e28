import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import { preferenceLines } from "../preference/preference-lines.ts";

const BLOCK_FORMATS = ["bedrock", "vertex", "anthropic"] as const;
const rules = { role: "system", content: "S" } as const;
const ask = { role: "user", content: "q" } as const;
const say = (content: string) => ({ role: "assistant", content }) as const;
const call = (...ids: string[]) => ({
  role: "assistant" as const,
  content: "Looking.",
  tool_calls: ids.map((id) => ({
    id,
    type: "function" as const,
    function: { name: `f${id}`, arguments: '{"x": 1.0}' },
  })),
});
const answer = (id: string, content: string) => ({ role: "tool", content, tool_call_id: id }) as const;

test.each(BLOCK_FORMATS)("%s refuses what the service would, and names the row", (format) => {
  const refused = (messages: object[]) => () => exportLines([{ messages } as never], { format });
  expect(refused([say("Hello."), ask, say("x")])).toThrow(/row 0: the agent speaks first; prependUser/);
  expect(refused([ask, call("a"), say("x")])).toThrow(/row 0: the call a is never answered/);
  expect(refused([ask, { role: "user", content: "" }, say("x")])).toThrow(/row 0: message 1 is empty/);
  expect(() => exportLines([{ messages: [ask, say("x")] }], { format, maskMode: "final" })).toThrow(
    /^mask_unsupported/,
  );
});

test.each(BLOCK_FORMATS)("%s: prependUser names what a person said before the agent did", (format) => {
  const { lines, report } = exportLines([{ messages: [rules, say("Hello."), ask, say("x"), ask] }], {
    format,
    prependUser: "(the call is put through)",
  });
  expect(lines[0]).toMatch(
    /"user", "(content|parts)": \[\{("type": "text", )?"text": "\(the call is put through\)"\}\]/,
  );
  expect(report).toMatchObject({ trainedMessages: 2, maskedMessages: 2, trailingMessagesDropped: 1 });
  expect(() => exportLines([{ messages: [ask, say("x")] }], { format, prependUser: " " })).toThrow(/^invalid_option/);
});

test("a format without a use for prependUser says which have one", () => {
  expect(() => exportLines([{ messages: [ask, say("x")] }], { format: "trl", prependUser: "a" })).toThrow(
    /or choose a format that has: bedrock, vertex, anthropic\./,
  );
});

const parallel = [
  ask,
  rules,
  call("a", "b"),
  answer("a", "plain"),
  answer("b", '{"big": 12345678901234567890}'),
  say("x"),
];

test("two calls are one turn of the agent's and two answers one of the user's; digits stay", () => {
  const line = (format: string) => exportLines([{ messages: parallel }], { format }).lines[0];
  expect(line("vertex")).toBe(
    '{"systemInstruction": {"role": "system", "parts": [{"text": "S"}]}, "contents": [' +
      '{"role": "user", "parts": [{"text": "q"}]}, ' +
      '{"role": "model", "parts": [{"text": "Looking."}, ' +
      '{"functionCall": {"name": "fa", "args": {"x": 1.0}}}, {"functionCall": {"name": "fb", "args": {"x": 1.0}}}]}, ' +
      '{"role": "user", "parts": [{"functionResponse": {"name": "fa", "response": {"output": "plain"}}}, ' +
      '{"functionResponse": {"name": "fb", "response": {"big": 12345678901234567890}}}]}, ' +
      '{"role": "model", "parts": [{"text": "x"}]}]}',
  );
  expect(JSON.parse(line("anthropic")!)).toMatchObject({ system: "S", messages: { length: 4 } });
  expect(JSON.parse(line("bedrock")!).messages[2]).toEqual({
    role: "user",
    content: [
      { toolResult: { toolUseId: "a", content: [{ text: "plain" }] } },
      { toolResult: { toolUseId: "b", content: [{ text: '{"big": 12345678901234567890}' }] } },
    ],
  });
});

test("bedrock pairs: the last turn holds both candidates", () => {
  const pairs = [{ chosen: [rules, ask, say("yes")], rejected: [rules, ask, say("no")] }];
  const { lines } = preferenceLines(pairs, { format: "bedrock" });
  expect(JSON.parse(lines[0]!)).toEqual({
    schemaVersion: "bedrock-conversation-2024",
    system: [{ text: "S" }],
    messages: [
      { role: "user", content: [{ text: "q" }] },
      {
        role: "assistant",
        candidates: [
          { content: [{ text: "yes" }], preferenceLabel: "preferred" },
          { content: [{ text: "no" }], preferenceLabel: "non-preferred" },
        ],
      },
    ],
  });
});

test("vertex pairs: the shared part ends with the user", () => {
  const pairs = [{ chosen: [ask, say("a"), say("b")], rejected: [ask, say("a"), say("c")] }];
  expect(() => preferenceLines(pairs, { format: "vertex" })).toThrow(
    /pair 0: its shared messages end with an agent turn/,
  );
});
