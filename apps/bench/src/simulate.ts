import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Agent, streamRollouts } from "@while/simulate";
import { runDirectory } from "@while/simulate/files";
import { peakRssMb } from "./peak-rss.ts";
import { printTable } from "./print-table.ts";

const byId = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const tools = ["get_order", "refund_order", "cancel_order"].map((name) => ({
  name,
  description: "of A1001 to A1009",
  parameters: byId,
}));

/** Takes no time of its own: what is measured is what the engine adds. */
const agent: Agent = async (message, { call }) => {
  const order_id = /A\d{4}/.exec(message)?.[0] ?? "A1001";
  await call("get_order", { order_id });
  return `Order ${order_id} is on its way.`;
};

/** Megabytes that are in use when all that can be freed is. */
function liveMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1e6;
}

/** `simulate [--rollouts N]`: what a rollout costs beside its agent, and whether memory grows with the run. */
export async function simulateCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rollouts: { type: "string", default: "200000" } } });
  const most = Number(values.rollouts);
  const table: string[][] = [];
  for (const [n, where] of [
    [most / 20, "stream"],
    [most / 20, "run directory"],
    [most / 4, "stream"],
    [most, "stream"],
  ] as const) {
    table.push(await measured(Math.round(n), where));
  }
  const columns = [
    "rollouts",
    "to",
    "s",
    "CPU s",
    "rollouts/s",
    "CPU ms each",
    "live MB at 1/4",
    "at the end",
    "peak MB",
  ];
  printTable(columns, table);
}

async function measured(n: number, where: "stream" | "run directory"): Promise<string[]> {
  const folder = where === "stream" ? null : mkdtempSync(join(tmpdir(), "while-bench-"));
  const before = process.cpuUsage();
  const start = performance.now();
  try {
    const stream = streamRollouts(agent, {
      ...{ tools, budget: n, repeats: 100, repeatPolicy: "fixed", concurrency: 64 },
      ...(folder === null ? {} : { journal: runDirectory(folder) }),
    });
    let rows = 0;
    let quarter = 0;
    for await (const _ of stream) if (++rows === n >> 2) quarter = liveMb();
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1e6;
    const perRollout = (1000 * cpu) / rows;
    return [
      rows.toLocaleString("en"),
      where,
      seconds.toFixed(1),
      cpu.toFixed(1),
      Math.round(rows / seconds).toLocaleString("en"),
      perRollout.toFixed(2),
      quarter.toFixed(1),
      liveMb().toFixed(1),
      peakRssMb().toFixed(0),
    ];
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}
