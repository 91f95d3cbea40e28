import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { parseArgs } from "node:util";
import { MersenneTwister } from "@while/stats";

/** Rollouts of one task that follow one another in the file. */
const ROLLOUTS_PER_TASK = 8;

/** `make-rollouts OUT --mb N` */
export async function makeRolloutsCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { mb: { type: "string", default: "1000" } },
    allowPositionals: true,
  });
  const [path] = positionals;
  if (path === undefined) throw new Error("make-rollouts needs the name of the file to write.");
  const made = await makeRollouts(path, Number(values.mb) * 1e6);
  process.stdout.write(
    `${path}: ${made.rows} rollouts of ${made.rows / ROLLOUTS_PER_TASK} tasks, ${(made.bytes / 1e6).toFixed(0)} MB\n`,
  );
}

/**
 * Writes rollouts as an agent behind a shop's help desk produces them: 3 to 7 KB a row, one in two told as steps and
 * the others as messages, eight a task, one in nine not graded, one in forty with text that is not ASCII. The same
 * bytes on every machine.
 */
export async function makeRollouts(path: string, minBytes: number): Promise<{ rows: number; bytes: number }> {
  const out = createWriteStream(path);
  let bytes = 0;
  let rows = 0;
  while (bytes < minBytes || rows % ROLLOUTS_PER_TASK !== 0) {
    let piece = "";
    for (let i = 0; i < 200 && (bytes + piece.length < minBytes || rows % ROLLOUTS_PER_TASK !== 0); i++) {
      piece += `${JSON.stringify(rollout(rows))}\n`;
      rows++;
    }
    bytes += Buffer.byteLength(piece);
    if (!out.write(piece)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
  return { rows, bytes };
}

const WORDS = (
  "the order was shipped on monday and should arrive before friday please check your inbox for refund policy allows " +
  "returns within thirty days of delivery if item is unused customer account shows two open tickets about late parcels " +
  "address could not be verified by carrier so package went back to warehouse we will send replacement today"
).split(" ");

const TOOLS = ["lookup_order", "get_customer", "check_policy", "issue_refund", "search_tickets"];

/** One rollout, the same for a number on every machine. */
export function rollout(n: number): object {
  const twister = new MersenneTwister(n);
  const random = () => twister.random();
  const task = Math.floor(n / ROLLOUTS_PER_TASK);
  const order = `ORD-${100000 + task}`;
  const prompt = `Where is my order ${order}? ${sentence(askWords(task), 25)}`;
  const turns = 3 + Math.floor(random() * 5);
  const final = `${n % 40 === 0 ? "Bien sûr — voilà 📦. " : ""}${sentence(random, 60)}`;
  const steps: object[] = [];
  for (let turn = 0; turn < turns; turn++) {
    steps.push({
      tool: TOOLS[Math.floor(random() * TOOLS.length)],
      arguments: { order_id: order, include: ["items", "history"], limit: 1 + turn },
      result: {
        status: random() < 0.9 ? "ok" : "timeout",
        order: { id: order, total: Math.round(random() * 1e5) / 100, items: items(random), note: sentence(random, 25) },
      },
      text: sentence(random, 14),
    });
    if (turn % 2 === 1) steps.push({ user: sentence(random, 18) });
  }
  steps.push({ text: final });
  const told = n % 2 === 0 ? { steps } : { messages: messagesOf(prompt, steps) };
  return {
    schema_version: "1",
    scenario_id: `shop/${task}`,
    rollout_id: `r-${n}`,
    rollout_index: n % ROLLOUTS_PER_TASK,
    prompt,
    ...told,
    final_text: final,
    model_version: "agent-1",
    sampling: { temperature: 0.7, max_tokens: 1024 },
    logprob: -random() * 400,
    n_tokens: 300 + Math.floor(random() * 600),
    reward: n % 9 === 0 ? null : random() < 0.6 ? 1 : 0,
    markers: { polite: random() < 0.9 ? 1 : 0, brief: Math.round(random() * 1000) / 1000 },
    judge_name: "policy-judge",
    judge_status: "ok",
    lineage: { source: "grade", judge_version: "3", system_prompt_sha: "64cd44d0b410c60d" },
  };
}

/** The ask of a task, the same for its eight rollouts. */
function askWords(task: number): () => number {
  const twister = new MersenneTwister(`ask ${task}`);
  return () => twister.random();
}

function items(random: () => number): object[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, (_, i) => ({
    sku: `SKU-${Math.floor(random() * 9000)}`,
    quantity: 1 + i,
    price: Math.round(random() * 1e4) / 100,
  }));
}

function messagesOf(prompt: string, steps: readonly Record<string, unknown>[] | readonly object[]): object[] {
  const messages: object[] = [{ role: "user", content: prompt }];
  for (const step of steps as readonly Record<string, unknown>[]) {
    if (step.user !== undefined) messages.push({ role: "user", content: step.user });
    else if (step.tool === undefined) messages.push({ role: "assistant", content: step.text });
    else {
      const call = { name: step.tool, arguments: JSON.stringify(step.arguments) };
      const id = `call_${messages.length}`;
      messages.push({ role: "assistant", content: step.text, tool_calls: [{ id, type: "function", function: call }] });
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(step.result) });
    }
  }
  return messages;
}

function sentence(random: () => number, words: number): string {
  let text = "";
  for (let i = 0; i < words; i++) text += `${i === 0 ? "" : " "}${WORDS[Math.floor(random() * WORDS.length)]}`;
  return `${text}.`;
}
