import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import type { ExportOptions } from "../export-options.ts";
import { HERMES_TEMPLATE } from "./hermes-template.ts";
import { probeTemplate } from "./probe-template.ts";

const each = (body: string) => `{% for m in messages %}${body}{% endfor %}`;
const turn = "<{{ m.role }}>{{ m.content }}";
const called = (args: string) =>
  each(`${turn}{% for c in m.tool_calls or [] %}[{{ c.function.name }} ${args}]{% endfor %}`);

/** Applies tojson; prints text as it is; both by kind; prints only text, and fails on an object; prints no call. */
const OBJECT = called("{{ c.function.arguments | tojson }}");
const EITHER = called(
  "{% if c.function.arguments is string %}{{ c.function.arguments }}{% else %}{{ c.function.arguments | tojson }}{% endif %}",
);
const STRING = called(
  "{% if c.function.arguments is string %}{{ c.function.arguments }}{% else %}{{ raise_exception('text') }}{% endif %}",
);
const DROPPED = each(turn);
const ERROR = each(`{% if m.tool_calls %}{{ raise_exception('no tools') }}{% endif %}${turn}`);

test.each([
  ["object", OBJECT],
  ["either", EITHER],
  ["string", STRING],
  ["dropped", DROPPED],
  ["error", ERROR],
  ["string", called("{{ '' ~ c.function.arguments }}")],
] as const)("arguments: %s", (spelling, template) => {
  expect(probeTemplate(template).arguments).toBe(spelling);
});

test("a sound template", () => {
  expect(probeTemplate(HERMES_TEMPLATE)).toEqual({
    ...{ arguments: "object", parallel: "ok", textBesideCall: "ok", agentOpening: "ok", lateSystem: "ok" },
    ...{ emptyContent: "ok", prefixPreserved: true, thinkBlock: null, defaultSystem: null, generationBlock: true },
    ...{ toolRoleName: "user", endOfTurn: "<|im_end|>\n", rowsRendered: 0, rowErrors: [], rows: [] },
    ...{ trainedTokens: null, tokens: null },
  });
});

test.each<[string, string, object]>([
  ["one call of several", each(`${turn}{{ m.tool_calls[0].function.name if m.tool_calls }}`), { parallel: "dropped" }],
  [
    "several calls",
    each(`{% if m.tool_calls and m.tool_calls | length > 1 %}{{ raise_exception('one') }}{% endif %}${turn}`),
    { parallel: "error", textBesideCall: "ok" },
  ],
  [
    "text beside a call",
    each("{% if m.tool_calls %}{{ m.tool_calls[0].function.name }}{% else %}{{ m.content }}{% endif %}"),
    { textBesideCall: "dropped" },
  ],
  [
    "roles that do not alternate",
    each(`{% if loop.first and m.role == 'assistant' %}{{ raise_exception('user first') }}{% endif %}${turn}`),
    { agentOpening: "error" },
  ],
  [
    "late rules",
    each("{% if loop.first or m.role != 'system' %}{{ m.content }}{% endif %}"),
    { lateSystem: "dropped" },
  ],
  [
    "think block",
    `${each(`<{{ m.role }}>{{ '<think></think>' if m.role == 'assistant' }}{{ m.content }}`)}{% if add_generation_prompt %}<assistant>{% endif %}`,
    { thinkBlock: "<think></think>", prefixPreserved: true },
  ],
  [
    "rules of its own",
    `{% if messages[0].role != 'system' %}<system>You are Bot.{% endif %}${each(turn)}`,
    { defaultSystem: "You are Bot." },
  ],
  [
    "history that is rewritten",
    each("{% if loop.last or m.role != 'assistant' %}{{ m.content }}{% endif %}|"),
    { prefixPreserved: false },
  ],
  ["no blocks", OBJECT, { generationBlock: false, toolRoleName: "tool", endOfTurn: "" }],
])("%s is told", (_, template, expected) => {
  expect(probeTemplate(template)).toMatchObject(expected);
});

const ask = { role: "user", content: "q" };
const say = (content: string) => ({ role: "assistant", content });
const words = (text: string) => text.split(/\s+/).flatMap((word, at) => (word === "" ? [] : [at]));

test("rows: what trains, in characters and tokens", () => {
  const rows = [{ messages: [ask, say("a b")] }, { prompt: [ask, say("x"), ask], completion: [say("c d")] }];
  const {
    rows: probed,
    trainedTokens,
    tokens,
  } = probeTemplate(HERMES_TEMPLATE, { rows, tokenizer: words, trains: "generation" });
  expect(probed.map(({ trained }) => trained)).toEqual([["a b<|im_end|>"], ["c d<|im_end|>\n"]]);
  expect(probed[0]).toMatchObject({ row: 0, trainedTokens: 2, tokens: 5, unaligned: [] });
  expect({ trainedTokens, tokens }).toEqual({ trainedTokens: 4, tokens: 14 });
  const [whole] = probeTemplate(HERMES_TEMPLATE, { rows }).rows;
  expect(whole!.trained).toEqual(["<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\na b<|im_end|>\n"]);
});

test("rows on which the template fails are named", () => {
  const failing = each(`{% if m.content == 'no' %}{{ raise_exception('bad') }}{% endif %}${turn}`);
  const rows = [{ messages: [ask, say("x")] }, { messages: [ask, say("no")] }];
  expect(probeTemplate(failing, { rows })).toMatchObject({ rowsRendered: 2, rowErrors: [{ row: 1 }] });
});

const looked = [
  ask,
  {
    role: "assistant",
    content: "Looking.",
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"x": 1}' } }],
  },
  { role: "tool", content: "r", tool_call_id: "c" },
  say("done"),
];
const exported = (template: string, options: ExportOptions = {}, messages: object[] = looked) =>
  exportLines([{ messages } as never], { format: "trl", template, ...options });

test.each<[string, string, ExportOptions, RegExp]>([
  ["objects", STRING, {}, /^consumer_refused: The template wants arguments as JSON text .* 1 rows need that: row 0/],
  ["text", OBJECT, { argumentsAs: "string" }, /^consumer_refused: The template wants arguments as objects/],
  ["calls", DROPPED, {}, /^consumer_refused: The template drops tool calls/],
  ["calls", ERROR, {}, /^consumer_refused: The template raises on tool calls/],
  ["a template that is none", "{% for %}", {}, /^template_failed/],
])("an export with a template refuses %s that it breaks", (_, template, options, message) => {
  expect(() => exported(template, options)).toThrow(message);
});

test("what the template keeps is exported, and the report says what trains", () => {
  expect(exported(STRING, { argumentsAs: "string" }).lines).toHaveLength(1);
  expect(exported(DROPPED, { format: "verl" }).report.probe!.rows[0]!.trained.join("")).toContain("done");
  const { report } = exported(HERMES_TEMPLATE, { trainerConfig: { assistant_only_loss: true } });
  expect(report.probe!.rows[0]!.trained.at(-1)).toBe("done<|im_end|>");
  expect(exported(HERMES_TEMPLATE, { format: "axolotl" }).report.probe!.rows[0]!.trained).toHaveLength(2);
});

test("what a template changes in silence is warned about", () => {
  const codes = (template: string, options: ExportOptions = {}, messages?: object[]) =>
    exported(template, options, messages).report.warnings.map(({ code }) => code);
  const plain = [ask, say("x"), ask, say("y")];
  const rewriting = each("{% if loop.last or m.role != 'assistant' %}{{ m.content }}{% endif %}|");
  expect(codes(rewriting, { maskMode: "final" }, plain)).toContain("prefix_not_preserved");
  expect(codes(rewriting, {}, plain)).not.toContain("prefix_not_preserved");
  const own = `{% if messages[0].role != 'system' %}<system>You are Bot.{% endif %}${each(turn)}`;
  expect(codes(own, {}, plain)).toContain("template_default_system");
  expect(codes(own, { systemPrompt: "S" }, plain)).not.toContain("template_default_system");
  expect(codes(own, { trainerConfig: { assistant_only_loss: true } }, plain)).toContain("template_without_generation");
  expect(codes(DROPPED, { validate: false })).toContain("template_breaks_rows");
  const late = [ask, say("x"), { role: "system", content: "S" }, ask, say("y")];
  const lateDropped = each("{% if loop.first or m.role != 'system' %}{{ m.content }}{% endif %}");
  expect(codes(lateDropped, {}, late)).toContain("template_breaks_rows");
});
