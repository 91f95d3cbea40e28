import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { formatGate, formatSelection, optimize, publishGate } from "@while/select";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , yours] = process.argv;
const { rows } = await readRowFiles([yours === undefined ? resolve("rows.jsonl") : resolve(stand, yours)]);
const out = (name: string): string => join(resolve("out"), name);
mkdirSync(resolve("out"), { recursive: true });

// What the reward is meant to pay for. Yours are the names that `wai hack-scan` lists.
const endorsed = ["marker:updated", "tool:update_order"];

// 1. Which groups hold contrast, inside the band, once junk, duplicates and cut replies are gone?
const { rows: selected, report } = optimize(rows, { mode: "rl", endorsed });
console.log(formatSelection(report));

// 2. What became of the other tasks?
console.log("\nTasks that are gone:");
for (const { task, reason, counts } of report.droppedTasks)
  console.log(`  ${task}: ${reason} ${JSON.stringify(counts)}`);

// 3. May what is left be published, and does its reward pay for what it is meant to?
const gate = publishGate(selected, { mode: "rl", endorsed, strictHacks: "confirmed" });
console.log(`\n${formatGate(gate.report)}`);

// 4. Rows in training order, each with the difficulty of its task.
await writeJsonl(out("rl.jsonl"), gate.rows);
const { task_id, calibration } = gate.rows[0]!;
console.log(`\nFirst group: ${task_id}, passed ${calibration?.pass_rate} of ${calibration?.n}`);
console.log(`Written: ${relative(stand, out("rl.jsonl"))}`);
