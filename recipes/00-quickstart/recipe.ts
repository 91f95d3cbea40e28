import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { formatExportReport } from "@while/export";
import { exportDataset } from "@while/export/files";
import { censusOf, formatCensus, WhileError } from "@while/schema";
import { metaOf, readRowFiles, writeJsonl } from "@while/schema/files";
import { formatSelection, optimize } from "@while/select";
import { formatPassAt, formatPassAtBy, formatPassCurve, passAt, passAtBy } from "@while/stats";
import { makeRollouts } from "./make-rollouts.ts";
import { record, recordable } from "./record.ts";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const shown = (path: string): string => (relative(stand, path).startsWith("..") ? path : relative(stand, path));
const say = (head: string, ...texts: string[]): void => console.log([`# ${head}`, "", ...texts, ""].join("\n"));

// 1. Your file, or rollouts of our own: forty situations at an order desk, each served eight times by two versions
// of a small agent.
const out = resolve("out");
mkdirSync(out, { recursive: true });
const [, , yours] = process.argv;
const file = yours === undefined ? join(out, "rollouts.jsonl") : resolve(stand, yours);
if (yours === undefined) {
  const runs = await makeRollouts();
  await writeJsonl(
    file,
    runs.flatMap(({ rows }) => rows),
    { meta: metaOf(runs[0]!) },
  );
}
const { rows, report } = await readRowFiles([file]).catch(explain);
say(`What is in ${shown(file)}?`, formatCensus(censusOf(rows, { report })));

// 2. Is the number real? A line for each version, over the same tasks; then the last one, asked k times.
const versions = passAtBy(rows, "policy_version");
const last = rows.findLast(({ policy_version }) => policy_version)?.policy_version;
const own = versions.groups.size > 1 ? rows.filter(({ policy_version }) => policy_version === last) : rows;
say("Does it pass?", versions.groups.size > 1 ? formatPassAtBy(versions) : formatPassAt(passAt(rows)));
say(`And when ${last ?? "it"} is asked k times?`, formatPassCurve(passAt(own)));

// 3. What would training on this teach? Only the last version's own rows: a group is compared inside one policy.
const source = { rows: own, systemPrompts: report.systemPrompts, ...(report.tools && { tools: report.tools }) };
const rl = optimize(source, { mode: "rl" });
const sft = optimize(source, { mode: "sft" });
say("Which tasks can teach it by contrast?", formatSelection(rl.report));
say("Which replies are worth imitating?", formatSelection(sft.report));

// 4. Give me the rows: those with contrast as they are, those to imitate in the shape that TRL reads.
const rlFile = join(out, "rl.jsonl");
const sftFile = join(out, "sft.trl.jsonl");
await writeJsonl(rlFile, rl.rows, { meta: metaOf(rl) });
if (sft.rows.length > 0) {
  const exported = await exportDataset(sft, { format: "trl", maskMode: "final", output: sftFile }).catch(explain);
  say("What does the trainer read?", formatExportReport({ ...exported, path: shown(sftFile) }));
}

// 5. Show it: each version with its graded rows on a platform in a folder, where others can look at them too.
const names = recordable(rows);
const data = join(out, "platform");
if (names.length > 0) say("And on a platform?", await record(rows, names, data));

const written = [
  ...(yours === undefined ? [file] : []),
  rlFile,
  ...(sft.rows.length > 0 ? [sftFile] : []),
  ...(names.length > 0 ? [data] : []),
];
say("Written", ...written.map(shown));
console.log(`Next, the loop as one page to show:\n\n  npx wai run ${shown(file)} -o report`);
if (names.length > 0) console.log(`\nand what was recorded, as a server:\n\n  npx wai platform --data ${shown(data)}`);

/** What is wrong with a file is a sentence and not a stack. */
function explain(error: unknown): never {
  if (!(error instanceof WhileError)) throw error;
  console.error(`error: ${error.what}\nfix: ${error.fix}`);
  process.exit(3);
}
