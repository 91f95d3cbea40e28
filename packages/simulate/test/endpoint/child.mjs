import { endpointAgent, simulate } from "@while/simulate";
import { runDirectory } from "@while/simulate/files";

// The run that is killed again and again, on a model behind HTTP.
const [, , folder, url, budget] = process.argv;
const order = { order_id: { type: "string", description: "of A1001 to A1009" } };

const agent = endpointAgent(url, { model: "test", callsAtOnce: { start: 64 }, timeouts: { idleMs: 3000 } });
const { report } = await simulate(agent, {
  tools: [
    { name: "get_order", parameters: order },
    { name: "refund_order", parameters: order },
  ],
  ...{ budget: Number(budget), repeats: 4, faultShare: 0.3, concurrency: 64 },
  journal: runDirectory(folder),
});
process.stdout.write(`${JSON.stringify(report)}\n`);
