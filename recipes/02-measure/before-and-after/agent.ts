import type { Row } from "@while/schema";
import { type Agent, type SimTool, tool } from "@while/simulate";
import { MersenneTwister } from "@while/stats";

/*
 * A desk that looks an order up and says what came back, or guesses. How often it looks is its skill; some tasks are
 * harder than others for every version. The rest is drawn by the seed of the rollout, as a model draws by its temperature.
 */

const parameters = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
export const tools: readonly SimTool[] = [
  tool({ name: "get_order", description: "Read an order, such as A1001, A1002, A1003 or A1004.", parameters }),
  tool({ name: "get_invoice", description: "Read the invoice of an order.", parameters }),
  tool({ name: "track_parcel", description: "Where the parcel of an order is.", parameters }),
];
export const systemPrompt = "Look an order up before you answer. Say what you found, and nothing else.";

/** @param luck Another number draws otherwise, as the same model does when it is asked again */
export function desk(name: string, skill: number, luck = 0): Agent {
  const agent: Agent = async (message, { call, rolloutSeed, scenarioId }) => {
    const dice = new MersenneTwister(rolloutSeed + luck);
    const ease = (Number.parseInt(scenarioId.slice(-4), 16) / 2 ** 16 - 0.5) * 0.8;
    const order_id = /[A-Z]\d{4}/.exec(message)?.[0];
    if (order_id === undefined || dice.random() >= skill + ease) return "It should be there soon.";
    return `Here is what I found: ${JSON.stringify(await call("get_order", { order_id }))}`;
  };
  return Object.assign(agent, { modelVersion: name });
}

/** A program as the judge: a reply passes when it rests on a look. */
export function looked({ steps }: Row): number {
  return (steps ?? []).length > 0 ? 1 : 0;
}
