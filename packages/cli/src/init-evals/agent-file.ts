import type { FoundAgent } from "./find-agent.ts";

/** `evals/agent.mjs`: how the eval calls the agent. */
export function agentFile(agent: FoundAgent, up: string): string {
  const from = `${up}${agent.file}`;
  const imported = agent.export === "default" ? "own" : `{ ${agent.export} as own }`;
  switch (agent.kind) {
    case "example":
      return `// How the eval calls your agent. Import your own here in place of the example.
import { answer } from "./example-agent.mjs";

export async function agent(message) {
  return answer(message);
}
`;
    case "http":
      return httpAgent(agent.url!);
    case "function":
      return `// How the eval calls your agent: one message in, what it did out.
import ${imported} from ${JSON.stringify(from)};

export async function agent(message) {
  return replyOf(await own(${argumentOf(agent.input)}));
}

${REPLY_OF}`;
    case "openai-agents":
      return `// How the eval calls your agent. Its tools are really called: point them at what an eval may touch.
import { run } from "@openai/agents";
import { fromOpenAiAgents } from "@while/simulate";
import ${imported} from ${JSON.stringify(from)};

export const agent = fromOpenAiAgents(own, run);
`;
    default: {
      const adapter = ADAPTERS[agent.kind];
      return `// How the eval calls your agent. Its tools are really called: point them at what an eval may touch.
import { ${adapter} } from "@while/simulate";
import ${imported} from ${JSON.stringify(from)};

export const agent = ${adapter}(own);
`;
    }
  }
}

const ADAPTERS = { "ai-sdk": "fromAiSdk", langchain: "fromLangChain", mastra: "fromMastra" } as const;

function argumentOf(input: FoundAgent["input"]): string {
  if (input === "message") return "message";
  if (input === "messages") return MESSAGES;
  const { key } = input;
  const value = /^(?:messages|history|conversation|turns)$/i.test(key) ? MESSAGES : "message";
  return `{ ${key === value ? key : `${key}: ${value}`} }`;
}

const MESSAGES = '[{ role: "user", content: message }]';

const REPLY_OF = `// Read as they are: a text, and { final_text, steps: [{ tool, arguments, result }] }. Of anything else, its text.
function replyOf(reply) {
  if (typeof reply !== "object" || reply === null || "final_text" in reply || "steps" in reply) return reply;
  const { text, content, reply: said, answer, output, message } = reply;
  return [text, content, said, answer, output, message, message?.content].find((one) => typeof one === "string") ?? reply;
}
`;

function httpAgent(url: string): string {
  return `// How the eval calls your agent: one message to its address, its reply back.
import { SimulateError } from "@while/simulate";

const address = process.env.AGENT_URL ?? ${JSON.stringify(url)};

export async function agent(message, { signal }) {
  const response = await ask({ message }, signal);
  const text = await response.text();
  if (!response.ok) throw new Error(\`\${address} answered \${response.status}: \${text.slice(0, 200)}\`);
  return replyOf(text);
}

// An address that cannot be reached says nothing of the agent: such a rollout is tried again, and then counted as lost.
async function ask(body, signal) {
  try {
    return await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (cause) {
    const fix = "Start your agent, or set AGENT_URL.";
    throw new SimulateError("infrastructure", \`\${address} cannot be reached.\`, fix, { cause });
  }
}

// Read as they are: a text, and { final_text, steps: [{ tool, arguments, result }] }. Of other JSON, its text.
function replyOf(text) {
  if (!/^\\s*[{[]/.test(text)) return text;
  const reply = JSON.parse(text);
  if ("final_text" in reply || "steps" in reply) return reply;
  const { text: own, content, reply: said, answer, output, response, message, choices } = reply;
  const texts = [own, content, said, answer, output, response, message, message?.content, choices?.[0]?.message?.content];
  return texts.find((one) => typeof one === "string") ?? reply;
}
`;
}

/** `evals/example-agent.mjs`: an agent to begin with, whose orders and tools are in the file. */
export const EXAMPLE_AGENT_FILE = `// An agent to begin with: a desk that looks orders up and pays them back within thirty days. No model and no key.
const ORDERS = {
  A1001: { item: "kettle", price: "39.90 EUR", days: 12 },
  A1002: { item: "lamp", price: "64.00 EUR", days: 45 },
  A1003: { item: "chair", price: "120.00 EUR", days: 3 },
};

export async function answer(message) {
  const steps = [];
  const call = (tool, given, result) => {
    steps.push({ tool, arguments: given, result });
    return result;
  };
  const said = (final_text) => ({ final_text, steps });

  const order_id = /\\bA\\d{4}\\b/.exec(message)?.[0];
  if (order_id === undefined) return said("Which order is this about? Its number begins with A.");
  const order = call("get_order", { order_id }, ORDERS[order_id] ?? { status: "not_found" });
  if (order.status === "not_found") return said(\`I could not find an order \${order_id}.\`);
  if (!/refund|money back|return/i.test(message)) return said(\`\${order_id} is a \${order.item} for \${order.price}.\`);
  if (order.days > 30) return said(\`I cannot refund \${order_id}: it was bought \${order.days} days ago, and the limit is 30.\`);
  call("refund_order", { order_id }, { status: "ok", amount: order.price });
  return said(\`\${order_id} is refunded: \${order.price} are on their way.\`);
}
`;
