import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const human = (value: unknown) => ({ from: "human", value });
const gpt = (value: unknown, rest: object = {}) => ({ from: "gpt", value, ...rest });
const ask = human("Where is order 4473?");
const lookup = { name: "lookup_order", description: "Finds.", parameters: { type: "object" } };

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

test("a line is one row without a reward; answers to one context are rollouts of one task", () => {
  const { rows, report } = read([
    { id: "a", system: "Be brief.", conversations: [ask, gpt("Shipped.")], images: ["x.png"] },
    { conversations: [{ from: "system", value: "Be brief." }, ask, gpt("On its way.")] },
    { conversations: [human("Else?"), gpt("No.")] },
  ]);
  expect(report.format).toBe("sharegpt");
  expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
  expect(rows).toMatchObject([
    { id: "a", prompt: "Where is order 4473?", final_text: "Shipped.", rollout_index: 0, images: ["x.png"] },
    { final_text: "On its way.", rollout_index: 1 },
    { prompt: "Else?", rollout_index: 0 },
  ]);
  expect(rows[0]!.task_id).toBe(rows[1]!.task_id);
  expect(rows[0]).not.toHaveProperty("reward");
});

test.each([
  ["one call", '{"name":"lookup_order","arguments":{"order_id":"4473"}}', [{ order_id: "4473" }]],
  ["arguments in text", '{"name":"lookup_order","arguments":"{\\"order_id\\":\\"4473\\"}"}', [{ order_id: "4473" }]],
  ["a list of calls", '[{"name":"lookup_order","arguments":{}},{"name":"lookup_order","arguments":{}}]', [{}, {}]],
  ["an object and no text", { name: "lookup_order", arguments: { order_id: "4473" } }, [{ order_id: "4473" }]],
])("a function_call is a tool step: %s", (_, value, given) => {
  const turns = [
    ask,
    { from: "function_call", value },
    { from: "observation", value: '{"status":"shipped"}' },
    gpt("Yes."),
  ];
  const [row] = read([{ conversations: turns }]).rows;
  const calls = row?.steps?.filter(({ tool }) => tool === "lookup_order");
  expect(calls?.map((step) => step.arguments)).toEqual(given);
  expect(calls?.[0]?.result).toEqual({ status: "shipped" });
  expect(row?.final_text).toBe("Yes.");
});

test("a function_call that is no JSON keeps its text", () => {
  const turns = [ask, { from: "function_call", value: "lookup_order(4473)" }, { from: "observation", value: 7 }];
  const [row] = read([{ conversations: turns }]).rows;
  expect(row?.steps).toMatchObject([{ tool: "unknown", raw_arguments: "lookup_order(4473)", result: "7" }]);
});

test.each([
  ["user", "assistant"],
  ["human", "chatgpt"],
  ["human", "model"],
])("%s and %s are who they say, and other words than human and gpt are kept", (from, answers) => {
  const [row] = read([
    {
      conversations: [
        { from, value: "q" },
        { from: answers, value: "a" },
      ],
    },
  ]).rows;
  expect(row).toMatchObject({ prompt: "q", final_text: "a" });
  expect(row?.messages?.[1]).toEqual({ role: "assistant", content: "a", from: answers });
});

test("turns with role and content are turns too, and weights become a loss mask", () => {
  const [row] = read([{ conversations: [{ role: "user", content: "q" }, gpt("a", { weight: 0 }), gpt("b")] }]).rows;
  expect(row).toMatchObject({ prompt: "q", final_text: "b", loss_mask: [0, 0, 1] });
});

test.each([
  ["JSON text of bare schemas", JSON.stringify([lookup]), "tools", [{ type: "function", function: lookup }]],
  [
    "a list in function form",
    [{ type: "function", function: lookup }],
    "tools",
    [{ type: "function", function: lookup }],
  ],
  ["words", "lookup_order finds an order", "tools_text", "lookup_order finds an order"],
])("tools as %s", (_, tools, key, kept) => {
  const { rows, report } = read([{ conversations: [ask], tools }]);
  expect(rows[0]?.[key]).toEqual(kept);
  expect(report.warnings.map(({ code }) => code)).toEqual(key === "tools" ? [] : ["tools_unread"]);
});

test("chosen and rejected are two rows of one task; kto_tag is the reward", () => {
  const { rows } = read([{ conversations: [ask], chosen: gpt("Shipped."), rejected: gpt("Dunno."), source: "s" }]);
  expect(rows).toMatchObject([
    { final_text: "Shipped.", reward: 1, label_source: "preference", source: "s" },
    { final_text: "Dunno.", reward: 0 },
  ]);
  expect(rows[0]!.task_id).toBe(rows[1]!.task_id);
  expect(read([{ conversations: [ask], chosen: gpt("a"), rejected: gpt("b") }], { as: "pairs" }).rows).toHaveLength(1);
  const tagged = [true, false].map((kto_tag) => ({ conversations: [ask, gpt("Shipped.")], kto_tag }));
  expect(read(tagged).rows.map(({ reward }) => reward)).toEqual([1, 0]);
});

test("a graded line keeps its reward, and the door looks at it", () => {
  expect(read([{ conversations: [ask, gpt("a")], reward: 0.5 }]).rows[0]?.reward).toBe(0.5);
  expect(() => read([{ conversations: [ask, gpt("a")], reward: 7 }])).toThrow(/line 1: reward is 7, outside 0 to 1/);
});

test.each([
  [
    { conversations: [ask, { from: "narrator", value: "x" }] },
    /line 2: conversations\[1\]\.from is the text "narrator"/,
  ],
  [{ conversations: [ask, gpt("a")], kto_tag: "yes" }, /line 2: kto_tag is the text "yes"/],
  [{ conversations: [] }, /line 2: conversations is no list of turns/],
  [{ conversations: [ask, { value: "x" }] }, /line 2: conversations\[1\] is no turn/],
])("%j is refused with its line", (record, what) => {
  expect(() => read([{ conversations: [ask] }, record], { format: "sharegpt" })).toThrow(what);
});
