import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { formatExportReport } from "@while/export";
import { exportDataset } from "@while/export/files";
import { censusOf, formatCensus } from "@while/schema";
import { metaOf, readRowFiles, writeJsonl } from "@while/schema/files";
import { formatSelection, optimize } from "@while/select";
import { formatPassAt, formatPassAtBy, formatPassCurve, passAt, passAtBy } from "@while/stats";
import { BESIDE_THE_ROWS, makeRollouts } from "./make-rollouts.ts";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const shown = (path: string) => relative(stand, path);
const say = (head: string, ...texts: string[]) => console.log([head, "", ...texts, ""].join("\n"));

// Your file, or rollouts of our own: forty situations at an order desk, each served eight times by two versions of a
// small agent.
const out = resolve("out");
const [, , yours] = process.argv;
const file = yours === undefined ? join(out, "rollouts.jsonl") : resolve(stand, yours);
mkdirSync(out, { recursive: true });
if (yours === undefined) await writeJsonl(file, makeRollouts(), { meta: BESIDE_THE_ROWS });

const { rows, report } = await readRowFiles([file]);
say(`What is in ${shown(file)}?`, formatCensus(censusOf(rows, { report })));

// Is the number real? One line a version, each over the same tasks; then the last version in full.
const versions = passAtBy(rows, "policy_version");
const last = rows.findLast(({ policy_version }) => policy_version)?.policy_version;
const own = last === undefined ? rows : rows.filter(({ policy_version }) => policy_version === last);
say("Does it pass?", versions.groups.size > 1 ? formatPassAtBy(versions) : formatPassAt(passAt(own)));
say(`How does ${last ?? "it"} fare when it is asked k times?`, formatPassCurve(passAt(own)));

// What would training on this teach? Only the last version's own rows: a group is compared inside one policy.
const source = { rows: own, systemPrompts: report.systemPrompts, ...(report.tools && { tools: report.tools }) };
const rl = optimize(source, { mode: "rl" });
say("Which tasks can teach it by contrast?", formatSelection(rl.report));
const sft = optimize(source, { mode: "sft" });
say("Which replies are worth imitating?", formatSelection(sft.report));

// Give me the rows, in the shape the trainer reads.
const rlFile = join(out, "rl.jsonl");
await writeJsonl(rlFile, rl.rows, { meta: metaOf(rl) });
const trainFile = join(out, "train.trl.jsonl");
const exported = await exportDataset(sft, { format: "trl", maskMode: "final", output: trainFile });
say("What does the trainer read?", formatExportReport({ ...exported, path: shown(trainFile) }));

say("Written", ...[rlFile, trainFile].map((path) => `  ${shown(path)}`));
console.log(`Next, the same loop as one page:\n\n  npx wai run ${shown(file)} -o report`);
