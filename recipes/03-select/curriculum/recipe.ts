import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { curriculum, formatCurriculum, scheduledRows } from "@while/select";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , yours] = process.argv;
const { rows } = await readRowFiles([yours === undefined ? resolve("rows.jsonl") : resolve(stand, yours)]);
const out = (name: string): string => join(resolve("out"), name);
mkdirSync(resolve("out"), { recursive: true });

// 1. What is solved, what is out of reach, and the rest from easy to hard.
const plan = curriculum(rows);
console.log(formatCurriculum(plan));

// 2. Each task with its measured rate, and what it is likely to be: few rollouts say little.
console.log("\n  task          passed  likely  chance to be solved");
for (const { taskId, passRate, n, expectedRate, pSolved } of [...plan.retired, ...plan.trainable, ...plan.notReady]) {
  const cells = [taskId.padEnd(12), `${passRate?.toFixed(2)} of ${n}`.padStart(10)];
  console.log(`  ${[...cells, expectedRate?.toFixed(2), pSolved?.toFixed(2)].join("    ")}`);
}

// 3. By the measured rate alone tasks leave on luck.
const point = curriculum(rows, { membership: "point" });
const taken = point.retired.filter(({ taskId }) => !plan.retired.some((task) => task.taskId === taskId));
console.log(
  `\nBy the rate alone these would be retired too: ${taken.map(({ taskId }) => taskId).join(", ") || "none"}`,
);

// 4. Rows in that order. Keep the names of the retired: curriculum(rows, { retired }) brings one back when it is unlearnt.
await writeJsonl(out("curriculum.jsonl"), scheduledRows(rows, plan));
console.log(`Written: ${relative(stand, out("curriculum.jsonl"))}`);
