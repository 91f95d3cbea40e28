import type { Row } from "@while/schema";
import { type Model, type SimTool, tool } from "@while/simulate";
import { MersenneTwister } from "@while/stats";

/*
 * Two models, made up: each looks an order up more often when its prompt says so, and one is better at it. What they do is
 * drawn by the seed of the call, as a model's is by its temperature. `endpointAgent("openai:NAME")` is a real one.
 */

/** How often each looks the order up: told to be brief, and told to look. */
const SKILL = { small: { told: 0.8, brief: 0.35 }, large: { told: 0.92, brief: 0.45 } };

export type ModelName = keyof typeof SKILL;
export const MODELS = ["small", "large"] as const;
export const PROMPTS = { short: "Be brief.", rules: "Look the order up before you answer. Say what you found." };

const parameters = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
export const tools: readonly SimTool[] = [
  tool({ name: "get_order", description: "Read an order, such as A1001.", parameters }),
];

export function modelNamed(name: ModelName): Model {
  const model: Model = async ({ messages, seed = 0 }) => {
    const last = messages.at(-1)!;
    if (last.role === "tool") return { text: `Here is what I found: ${last.content}` };
    const isTold = messages[0]!.content.includes("Look the order up");
    const dice = new MersenneTwister(seed + name.length);
    const order_id = /A\d{4}/.exec(last.content)?.[0] ?? "";
    if (dice.random() >= SKILL[name][isTold ? "told" : "brief"]) return { text: "It should be there soon." };
    return { text: "", toolCalls: [{ id: "call", name: "get_order", arguments: JSON.stringify({ order_id }) }] };
  };
  return Object.assign(model, { modelName: name });
}

/** A pass: it looked the order up. */
export function looked({ steps }: Row): number {
  return Array.isArray(steps) && steps.some(({ tool }) => tool === "get_order") ? 1 : 0;
}
