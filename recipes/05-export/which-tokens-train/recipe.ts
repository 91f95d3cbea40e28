import { mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ExportError, exportLines, toolCallRoundtrip, trainingRows } from "@while/export";
import { exportDataset, writeDatasetFolder } from "@while/export/files";
import { readRowFiles } from "@while/schema/files";
import { selectForSft } from "@while/select";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , yours = "rows.jsonl"] = process.argv;
const file = process.argv[2] === undefined ? resolve(yours) : resolve(stand, yours);
const out = resolve("out");
mkdirSync(out, { recursive: true });

// 1. Your file, or six refunds, each tried four times; the rules and tools lie beside them. One passing reply an ask.
const { rows, report: read } = await readRowFiles([file]);
const { system_prompt: systemPrompt } = read.meta ?? {};
const rules = {
  ...(typeof systemPrompt === "string" ? { systemPrompt } : {}),
  ...(read.tools === null ? {} : { tools: read.tools }),
};
const kept = selectForSft(rows);
console.log(`${kept.rows.length} of ${rows.length} rows are kept to imitate.\n`);

// 2. The first conversation, with the loss where the mask says: the agent's turns and nothing else.
const [first] = trainingRows(kept.rows, rules);
for (const [i, { role, content, tool_calls: calls = [] }] of first!.messages.entries()) {
  const said = [content, ...calls.map(({ function: call }) => `${call.name}(${call.arguments})`)].join(" ").trim();
  console.log(
    `${first!.loss_mask[i] === 1 ? "loss " : "     "} ${role.padEnd(9)} ${said.replaceAll("\n", " ").slice(0, 78)}`,
  );
}

// 3. The same rows for four ways to train them. What is trained is not always what was asked for.
console.log("\nformat, mask                    rows  trains  masks");
const ways = [
  ["openai, all agent turns", { format: "openai" }],
  ["trl, told nothing", { format: "trl" }],
  ["trl, assistant_only_loss", { format: "trl", trainerConfig: { assistant_only_loss: true } }],
  ["trl, the last turn", { format: "trl", maskMode: "final" }],
  ["trl, each turn by itself", { format: "trl", unroll: true }],
] as const;
for (const [name, options] of ways) {
  const { report } = exportLines(kept.rows, { ...rules, ...options });
  const numbers = [report.n, report.trainedMessages, report.maskedMessages].map((n) => String(n).padStart(6));
  console.log(`${name.padEnd(30)}${numbers.join("  ")}`);
}

// 4. What is to be set in the trainer, in its own words.
const wanted = { ...rules, format: "trl", output: join(out, "train.jsonl") } as const;
const written = await exportDataset(kept.rows, wanted);
for (const { setting, value, why } of written.requires) console.log(`\nset ${setting}: ${value}\n  ${why}`);

// 5. Rows that are easily written by hand are refused here: arguments as text, and a call that is no JSON.
const stored = exportLines(kept.rows, rules).lines.map((line) => JSON.parse(line));
const { checked, invalid } = toolCallRoundtrip(stored, { format: "trl" });
console.log(`\nArguments as text, read by TRL: ${invalid} of ${checked} calls would train quoted JSON.`);
const broken = {
  prompt: "Refund 9.",
  messages: [
    { role: "user", content: "Refund 9." },
    { role: "assistant", tool_calls: [{ name: "refund", arguments: "{order: 9" }] },
  ],
};
try {
  exportLines([broken], { ...rules, format: "trl" });
} catch (error) {
  if (!(error instanceof ExportError)) throw error;
  console.log(`Refused: ${error.message}`);
}

// 6. A folder for a hub, whose card types every column, so that load_dataset gives the rows back as they were.
const { lines } = exportLines(kept.rows, { ...rules, format: "trl" });
const folder = join(out, "dataset");
rmSync(folder, { recursive: true, force: true });
const card = await writeDatasetFolder(folder, { splits: { train: lines }, card: { reports: { train: written } } });
console.log(
  `\nWritten: ${relative(stand, written.path!)}, and ${relative(stand, folder)} with ${card.files.join(", ")}.`,
);
