import { expect, test } from "vitest";
import { inlineCalls } from "../formats/inline-calls.ts";
import { JsonNumber } from "../json/json-number.ts";
import { HERMES_TEMPLATE } from "./hermes-template.ts";
import { renderTemplate } from "./render-template.ts";
import { type TrainedText, trainedSpans } from "./trained-spans.ts";

const call = (args: unknown) => ({ id: "c", type: "function" as const, function: { name: "refund", arguments: args } });
const conversation = (args: unknown) => [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Refund 42." },
  { role: "assistant", content: "Looking.", tool_calls: [call(args), call(args)] },
  { role: "tool", content: "ok", tool_call_id: "c" },
  { role: "tool", content: "fine", tool_call_id: "c" },
  { role: "assistant", content: "Done." },
];
const tools = [{ type: "function", function: { name: "refund", description: "d", parameters: { type: "object" } } }];
const trained = ({ text, spans }: TrainedText) => spans.map(([start, end]) => text.slice(start, end));

test("numbers are spelled as Python spells them", () => {
  const args = {
    whole: new JsonNumber("1.0"),
    big: new JsonNumber("12345678901234567890"),
    exp: new JsonNumber("1e2"),
  };
  const text = renderTemplate("{{ messages[0].args | tojson }} {{ messages[0].args.whole }}", { messages: [{ args }] });
  expect(text).toBe('{"whole": 1.0, "big": 12345678901234567890, "exp": 100.0} 1.0');
});

test("white space around blocks goes as transformers lets it go, and stays as Jinja leaves it", () => {
  const template = "{% for m in messages %}\n  {% if m %}\n{{ m.content }}\n  {% endif %}\n{% endfor %}\n";
  const input = { messages: [{ content: "a" }, { content: "b" }] };
  expect(renderTemplate(template, input)).toBe("a\nb\n");
  expect(renderTemplate(template, input, { blocks: "plain" })).toBe("\n  \na\n  \n\n  \nb\n  \n");
});

test.each([
  ["{% if %}", /^template_failed: The chat template fails: /],
  ["{{ raise_exception('roles must alternate') }}", /roles must alternate/],
])("%s fails with its words", (template, message) => {
  expect(() => renderTemplate(template, { messages: [] })).toThrow(message);
});

test("calls as objects and calls in the text are rendered to the same bytes", () => {
  const native = renderTemplate(HERMES_TEMPLATE, { messages: conversation({ order: "42" }), tools });
  const wire = conversation('{"order": "42"}') as Parameters<typeof inlineCalls>[0];
  expect(renderTemplate(HERMES_TEMPLATE, { messages: inlineCalls(wire, tools) })).toBe(native);
});

test("the agent's turns train, up to their end, and with generation blocks what those enclose", () => {
  const input = { messages: conversation({ order: "42" }), tools };
  const callText = '<tool_call>\n{"name": "refund", "arguments": {"order": "42"}}\n</tool_call>';
  const turns = [`Looking.\n${callText}\n${callText}<|im_end|>`, "Done.<|im_end|>"];
  expect(trained(trainedSpans(HERMES_TEMPLATE, input, [2, 5]))).toEqual(turns.map((turn) => `${turn}\n`));
  expect(trained(trainedSpans(HERMES_TEMPLATE, input, "generation"))).toEqual(turns);
  const all = trainedSpans(HERMES_TEMPLATE, input, "all");
  expect(trained(all)).toEqual([all.text]);
  expect(trainedSpans(HERMES_TEMPLATE, input, "generation").text).toBe(all.text);
});

test("a template that rewrites history: the turn cannot be placed", () => {
  const forgetful =
    "{% for m in messages %}{% if m.role != 'assistant' or loop.last %}{{ m.content }}|{% endif %}{% endfor %}";
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "a" },
    { role: "user", content: "r" },
    { role: "assistant", content: "b" },
  ];
  const { spans, unaligned, text } = trainedSpans(forgetful, { messages }, [1, 3]);
  expect({ spans, unaligned, text }).toEqual({ spans: [[4, 6]], unaligned: [1], text: "q|r|b|" });
});
