import { readRowFiles } from "@while/schema/files";
import { gate } from "./gate.ts";
import { JUDGES } from "./judges.ts";

const { rows } = await readRowFiles(["rows.jsonl"]);

// Labels cost a person's time: what does the gate say when only the first few rows have one?
const withLabels = (n: number) => rows.map((row, i) => (i < n ? row : { ...row, gold_reward: null }));

const [, , name, labels = String(rows.length)] = process.argv;
if (name !== undefined) {
  // As CI runs it: one judge, one exit code.
  const judge = JUDGES[name];
  if (judge === undefined) throw new RangeError(`There is no judge ${name}: ${Object.keys(JUDGES).join(", ")}.`);
  process.exitCode = await gate(withLabels(Number(labels)), judge);
} else {
  const cases = [
    ["careful", rows.length],
    ["wordy", rows.length],
    ["careful", 10],
  ] as const;
  for (const [judge, n] of cases) {
    console.log(`# ${judge}, ${n} labels\n`);
    console.log(`\nexit code ${await gate(withLabels(n), JUDGES[judge]!)}\n`);
  }
}
