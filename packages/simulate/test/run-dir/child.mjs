import { simulate } from "@while/simulate";
import { runDirectory } from "@while/simulate/files";

// The run that is killed again and again. Says a word for every call, so that the test can count what was called twice.
const [, , folder, how] = process.argv;
const order = { order_id: { type: "string", description: "of A1001 to A1003" } };

/** Takes 10 to 50 ms, so that a kill always finds some rollouts under way. */
async function agent(message, { call, scenarioId, rolloutIndex }) {
  const order_id = /[A-Z]\d{4}/.exec(message)?.[0] ?? "A1001";
  await call("get_order", { order_id });
  await new Promise((resolve) => setTimeout(resolve, 10 + ((rolloutIndex * 7 + message.length) % 40)));
  process.stdout.write(`${scenarioId}#${rolloutIndex}\n`);
  return `Order ${order_id}, try ${rolloutIndex}.`;
}

const { report } = await simulate(agent, {
  tools: [
    { name: "get_order", parameters: order },
    { name: "refund_order", parameters: order },
  ],
  ...{ budget: 400, repeats: 4, faultShare: 0.3, concurrency: 4 },
  // A search hangs on what came back: on the verdicts, too.
  ...(how === "search" ? { search: true, grader: ({ prompt }) => (prompt.length % 3 === 0 ? 0 : 1) } : {}),
  journal: runDirectory(folder),
});
process.stdout.write(`done ${report.rolloutsCompleted}\n`);
