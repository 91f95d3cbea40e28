import type { Row, ToolSchema } from "@while/schema";

/** What formats are described with: rules, a call, its answer, a reply, and a second ask. */
export const SAMPLE_RULES = "You are the refund desk.";

export const SAMPLE_TOOLS: readonly ToolSchema[] = [
  {
    type: "function",
    function: {
      name: "lookup",
      description: "Look up an order.",
      parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    },
  },
];

const LOOKED: NonNullable<Row["messages"]> = [
  { role: "user", content: "Refund order 42." },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "call_0000", type: "function", function: { name: "lookup", arguments: '{"order": "42"}' } }],
  },
  { role: "tool", content: "paid 18.50", name: "lookup", tool_call_id: "call_0000" },
];

function rollout(replies: readonly string[], reward: number): Row {
  const [first, second] = replies;
  return {
    scenario_id: "refund-42",
    prompt: "Refund order 42.",
    messages: [
      ...LOOKED,
      { role: "assistant", content: first! },
      ...(second === undefined
        ? []
        : [
            { role: "user", content: "Thanks!" },
            { role: "assistant", content: second },
          ]),
    ],
    reward,
  };
}

export const SAMPLE_ROW: Row = rollout(["18.50 is on its way.", "You are welcome."], 1);
export const SAMPLE_CHOSEN: Row = rollout(["18.50 is on its way."], 1);
export const SAMPLE_REJECTED: Row = rollout(["I cannot refund that."], 0);
