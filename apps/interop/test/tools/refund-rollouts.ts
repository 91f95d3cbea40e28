import type { Message, Row, ToolSchema } from "@while/schema";

/** The rules of a clerk who refunds orders. */
export const RULES = "You refund orders. Look an order up before you pay. “Été” is a shop.";

export const TOOLS: ToolSchema[] = [
  schema("lookup", { order: { type: "string" } }, ["order"]),
  schema("refund", { order: { type: "string" }, amount: { type: "number" }, note: { type: "string" } }, ["order"]),
];

function schema(name: string, properties: Record<string, unknown>, required: string[]): ToolSchema {
  const parameters = { type: "object", properties, required };
  return { type: "function", function: { name, description: `${name} an order`, parameters } };
}

const TASKS = 6;
const ATTEMPTS = 4;

/**
 * Attempts that hold what trips trainers: text beside a call, two calls in one turn, calls with different arguments,
 * a second ask in the middle, accents and emoji, quotes in what a tool said. Half of them pass.
 */
export const ROLLOUTS: readonly Row[] = Array.from({ length: TASKS * ATTEMPTS }, (_, i): Row => {
  const task = Math.floor(i / ATTEMPTS);
  const attempt = i % ATTEMPTS;
  const order = `${4200 + task}`;
  const isPass = (task + attempt) % 2 === 0;
  return {
    schema_version: "1",
    scenario_id: `order-${order}`,
    rollout_index: attempt,
    prompt: `Rembourse la commande ${order}, s'il te plaît 🙂`,
    messages: conversation(order, attempt, isPass),
    reward: isPass ? 1 : 0,
    faults: task === 0 ? { refund: "timeout" } : {},
  };
});

function conversation(order: string, attempt: number, isPass: boolean): Message[] {
  const call = (id: string, name: string, given: unknown) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(given) },
  });
  const answer = (id: string, name: string, content: string) => ({ role: "tool", tool_call_id: id, name, content });
  const amount = 12.5;
  return [
    { role: "user", content: `Rembourse la commande ${order}, s'il te plaît 🙂` },
    { role: "assistant", content: attempt === 1 ? "Je regarde." : "", tool_calls: [call("a", "lookup", { order })] },
    answer("a", "lookup", `{"order": "${order}", "paid": ${amount}, "shop": "Été \\"42\\""}`),
    ...(attempt === 2
      ? [
          { role: "assistant", content: "Tout, ou une partie ?" },
          { role: "user", content: "Tout !\nMerci 日本" },
        ]
      : []),
    {
      role: "assistant",
      content: "",
      tool_calls:
        attempt === 3
          ? [call("b", "refund", { order, amount }), call("c", "lookup", { order })]
          : [call("b", "refund", isPass ? { order, amount, note: "né “Été”" } : { order })],
    },
    answer("b", "refund", isPass ? "ok" : "error: the amount is missing"),
    ...(attempt === 3 ? [answer("c", "lookup", "refunded")] : []),
    { role: "assistant", content: isPass ? `C'est fait : ${amount} € rendus.` : "Ce n'est pas possible." },
  ];
}
