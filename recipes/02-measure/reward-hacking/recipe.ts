import { resolve } from "node:path";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { formatHackScan, formatHackScanDiff, hackScan, hackScanDiff } from "@while/select";
import { deltaReport, formatDeltaReport } from "@while/stats";
import { type Judge, judgeProbes, runJudge } from "@while/trust";
import { BASE, rollouts, TRAINED } from "./agent.ts";
import { proseJudge, trajectoryJudge } from "./judges.ts";

const ENDORSED = ["tool:issue_refund"];
const JUDGES = { prose: proseJudge, trajectory: trajectoryJudge };

// Your own graded rows, and what their reward is meant to pay for: npm run recipe -- rollouts.jsonl tool:refund,marker:
const [, , yours, endorsed = ""] = process.argv;
if (yours !== undefined) {
  const { rows } = await readRowFiles([resolve(process.env.INIT_CWD ?? process.cwd(), yours)]);
  console.log(formatHackScan(hackScan(rows, { endorsed: endorsed.split(",").filter((name) => name !== "") })));
  process.exit();
}

const graded = async (rows: readonly Row[], judge: Judge): Promise<Row[]> => (await runJudge(rows, judge)).rows;
const before = rollouts(BASE);

// 1. Before training: what does each judge pay for, inside the asks?
for (const [name, judge] of Object.entries(JUDGES)) {
  console.log(`# 1. What the ${name} judge pays for\n`);
  const rows = await graded(before, judge);
  console.log(`${formatHackScan(hackScan(rows, { endorsed: ENDORSED }), { top: 4 })}\n`);
}

// 2. And can it be talked into a pass?
console.log("# 2. What turns a failed reply into a passed one\n");
for (const [name, judge] of Object.entries(JUDGES)) {
  const { exploitableBy } = await judgeProbes(await graded(before, judge), judge);
  console.log(`${name} judge: ${exploitableBy.join(", ") || "none of the standard probes"}`);
}

// 3. After training on the prose judge: its reward is the proxy, and the trajectory judge says what became of the work.
const both = async (rows: readonly Row[]): Promise<Row[]> => {
  const proxy = await graded(rows, proseJudge);
  return (await graded(rows, trajectoryJudge)).map((row, i) => ({
    ...row,
    markers: { proxy: Number(proxy[i]!.reward) },
  }));
};
const after = rollouts(TRAINED, { seed: 1 });
console.log("\n# 3. After training on the prose judge\n");
console.log(`${formatDeltaReport(deltaReport(await both(before), await both(after), { proxy: "marker:proxy" }))}\n`);

// 4. What did the reward come to pay for that it did not pay for before?
console.log("# 4. What training on the prose judge has moved\n");
const [was, is] = [await graded(before, proseJudge), await graded(after, proseJudge)];
console.log(formatHackScanDiff(hackScanDiff(was, is, { endorsed: ENDORSED, top: 4 })));
