import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readRowFiles } from "@while/schema/files";
import { formatPassAt, passAt } from "@while/stats";
import { cleanSubset, formatDecontamination } from "@while/trust";
import { decontaminateFile, readEvalRows } from "@while/trust/files";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , train, against] = process.argv;
const trainFile = train === undefined ? resolve("rows.jsonl") : resolve(stand, train);
const evalFile = against === undefined ? resolve("eval.jsonl") : resolve(stand, against);

// 1. Which training rows does the evaluation hold? The clean ones are copied as they are.
const out = resolve("out");
mkdirSync(out, { recursive: true });
const clean = join(out, "clean.jsonl");
const report = await decontaminateFile(trainFile, evalFile, { output: clean });
console.log(formatDecontamination(report));

// 2. Rows that only read as reworded were kept: somebody has to look at them, with the words that both have.
console.log("\nTo read:");
for (const { index, evalTask, similarity, shared } of report.relatedExamples) {
  console.log(`  row ${index} ~ ${evalTask} ${similarity}  ${shared}`);
}

// 3. What is the score worth? The same rollouts of the evaluation, with and without the tasks that training held.
const rollouts = await readEvalRows(evalFile);
const { rows: trained } = await readRowFiles([clean]);
console.log(`\nall tasks:       ${formatPassAt(passAt(rollouts))}`);
console.log(`those not held:  ${formatPassAt(passAt(cleanSubset(rollouts, report)))}`);
console.log(`\nWritten: ${relative(stand, clean)}, ${trained.length} rows`);
