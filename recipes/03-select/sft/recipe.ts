import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { formatSelection, selectForSft } from "@while/select";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , yours] = process.argv;
const { rows } = await readRowFiles([yours === undefined ? resolve("rows.jsonl") : resolve(stand, yours)]);
const out = (name: string): string => join(resolve("out"), name);
mkdirSync(resolve("out"), { recursive: true });

// 1. The best passing reply to every prompt. The rubric gives shares, and 0.7 passes.
const minReward = 0.7;
const top = selectForSft(rows, { minReward });
console.log(formatSelection(top.report));

// 2. Is it better than chance? The control takes any passing reply: a ranking that does not beat it orders nothing.
const controls = [0, 1, 2, 3, 4].map((seed) => selectForSft(rows, { minReward, select: "random_per_prompt", seed }));
const means = controls.map(({ report }) => report.rewardMeanSelected ?? 0);
console.log(`\nmean reward of the ranked arm ${top.report.rewardMeanSelected}`);
console.log(`of five random draws among the passing: ${means.join(", ")}`);
console.log(
  means.every((mean) => mean < (top.report.rewardMeanSelected ?? 0))
    ? "The ranking beats each of them: by the rubric it picks better replies. Compare the trained models, too."
    : "The ranking does not beat all of them: take more completions a prompt, or a judge that tells them apart.",
);

// 3. What is imitated.
await writeJsonl(out("sft.jsonl"), top.rows);
console.log(`\nFirst: "${top.rows[0]?.final_text}"`);
console.log(`Written: ${relative(stand, out("sft.jsonl"))}`);
