import { expect, test } from "vitest";
import { formats } from "../formats/registry.ts";
import { describeFormat } from "./describe-format.ts";
import { formatFormatDescription } from "./format-description.ts";

const every = formats.list().flatMap(({ name, kinds }) => kinds.map((kind) => [name, kind] as const));

test.each(every)("%s, %s: words, a row, and a rendered sample", (format, kind) => {
  const description = describeFormat(format, { kind });
  expect(description.trains).toMatch(/\w/);
  expect(description.lines.length).toBeGreaterThan(0);
  for (const line of description.lines) expect(JSON.parse(line)).toBeTypeOf("object");
  for (const { text, spans } of description.rendered) {
    expect(text).toContain("Refund order 42.");
    const trained = spans.map(([start, end]) => text.slice(start, end)).join("");
    if (kind === "reward-model" || kind === "grpo" || format === "openai") continue;
    expect(trained).not.toBe("");
    const isWhole = format === "trl" && kind === "sft";
    if (!isWhole) expect(trained).not.toContain("Refund order 42.");
  }
});

const trained = (format: string, options: Parameters<typeof describeFormat>[1] = {}) =>
  describeFormat(format, options).rendered.map(({ text, spans }) =>
    spans.map(([start, end]) => text.slice(start, end)),
  );

test("what is marked is what the mask says", () => {
  const call = '<tool_call>\n{"name": "lookup", "arguments": {"order": "42"}}\n</tool_call><|im_end|>\n';
  const reply = "18.50 is on its way.<|im_end|>\n";
  const last = "You are welcome.<|im_end|>\n";
  expect(trained("axolotl")).toEqual([[call, reply, last]]);
  expect(trained("axolotl", { maskMode: "final" })).toEqual([[last]]);
  expect(trained("axolotl", { unroll: true })).toEqual([[call], [reply], [last]]);
  expect(trained("trl", { maskMode: "final" })).toEqual([[last]]);
  expect(trained("trl")[0]![0]).toContain("Refund order 42.");
  expect(trained("trl", { trainerConfig: { assistant_only_loss: true } })).toEqual([[call, reply, last]]);
  expect(trained("trl", { kind: "preference" })).toEqual([[reply], ["I cannot refund that.<|im_end|>\n"]]);
});

test("another template, and what cannot be described", () => {
  const template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}";
  const { rendered, ownTemplate } = describeFormat("fireworks", { template, maskMode: "final" });
  expect(ownTemplate).toBe(true);
  expect(rendered[0]!.text).toMatch(/^\[system\]You are the refund desk\.\[user\]/);
  expect(() => describeFormat("verl", { maskMode: "final" })).toThrow(/^mask_unsupported/);
  expect(() => describeFormat("openai", { kind: "kto" })).toThrow(/^kind_unsupported/);
  expect(() => describeFormat("axolot")).toThrow(/^format_unknown.*Did you mean axolotl/);
});

test("the description as text", () => {
  const [text, other] = formatFormatDescription(describeFormat("openrlhf", { kind: "kto" }))
    .replace(/ {2}\{.*\n/g, "  {…}\n")
    .split("\n\n  label false\n");
  expect(other).toMatch(/⟦I cannot refund that\.<\|im_end\|>⟧$/);
  expect(text).toBe(
    `openrlhf: kto rows
  trains the last agent turn: likelier where label is true, less likely where it is false; the prompt carries no loss
  requires --data.input_key: messages (the column that holds the chat, the reply at its end)
  requires --data.label_key: label (the column that says whether the reply is wanted)
  requires --data.apply_chat_template: on (without it messages are not rendered as a chat)
  tool calls: in the text of messages
  other kinds: sft, preference, reward-model, grpo

  {…}

  {…}

  rendered by a ChatML template; your model's own looks otherwise, ⟦what trains⟧:

  label true
  | <|im_start|>system
  | You are the refund desk.
  |${" "}
  | # Tools
  |${" "}
  | You may call one or more functions to assist with the user query.
  |${" "}
  | You are provided with function signatures within <tools></tools> XML tags:
  | <tools>
  | {"type": "function", "function": {"name": "lookup", "description": "Look up an order.", "parameters": {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}}}
  | </tools>
  |${" "}
  | For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
  | <tool_call>
  | {"name": <function-name>, "arguments": <args-json-object>}
  | </tool_call><|im_end|>
  | <|im_start|>user
  | Refund order 42.<|im_end|>
  | <|im_start|>assistant
  | <tool_call>
  | {"name": "lookup", "arguments": {"order": "42"}}
  | </tool_call><|im_end|>
  | <|im_start|>user
  | <tool_response>
  | paid 18.50
  | </tool_response><|im_end|>
  | <|im_start|>assistant
  | ⟦18.50 is on its way.<|im_end|>⟧`,
  );
});
