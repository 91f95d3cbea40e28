import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { formatTraceFlagReport, TRACE_MARKERS, traceFlagReport, traceMarkers } from "@while/trust";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , yours = "rows.jsonl"] = process.argv;
const file = process.argv[2] === undefined ? resolve(yours) : resolve(stand, yours);

// 1. Your file, or twelve bugs, each given four times to a coding agent and graded by a judge that reads the reply alone.
const { rows } = await readRowFiles([file]);

// 2. What did it fake, and does the reward pay for that?
const report = traceFlagReport(rows, { examples: 2 });
console.log(formatTraceFlagReport(report));

// 3. A flag is a pattern and no proof: every fragment with its row, to read.
console.log("\nTo read:");
for (const { key, flag, evidence } of report.hits)
  console.log(`  ${key}  ${flag}  ${evidence.replaceAll(/\s+/g, " ")}`);

// 4. Rows with their markers, for a comparison of versions and for selection, and those that nothing was found on.
const stamped = traceMarkers(rows);
const clean = stamped.filter(({ markers }) => [...TRACE_MARKERS.keys()].every((name) => markers?.[name] === 1));
const out = resolve("out");
mkdirSync(out, { recursive: true });
await writeJsonl(join(out, "stamped.jsonl"), stamped);
await writeJsonl(join(out, "clean.jsonl"), clean);
const passed = (list: typeof rows): number => list.filter(({ reward }) => reward === 1).length;
console.log(
  `\n${passed(rows)} of ${rows.length} rows were paid; nothing was found on ${passed(clean)} of those ${passed(rows)}.`,
);
console.log(`Written: ${["stamped", "clean"].map((name) => relative(stand, join(out, `${name}.jsonl`))).join(", ")}`);
