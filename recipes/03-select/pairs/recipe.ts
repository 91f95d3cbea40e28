import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { buildPreferencePairs, formatPairReport } from "@while/select";

// npm moves into this folder; paths are meant, and shown, from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , yours] = process.argv;
const { rows } = await readRowFiles([yours === undefined ? resolve("rows.jsonl") : resolve(stand, yours)]);
const out = (name: string): string => join(resolve("out"), name);
mkdirSync(resolve("out"), { recursive: true });

// 1. Pairs without a look at length: here the better replies are longer, and a preference trainer would learn that first.
const loose = buildPreferencePairs(rows, { lengthMatch: false });
console.log("# Any two replies\n");
console.log(formatPairReport(loose.report));

// 2. The same replies, matched in length. Replies judged both ways are refused and counted.
const matched = buildPreferencePairs(rows, { maxPairsPerPrompt: 2 });
console.log("\n# Matched in length\n");
console.log(formatPairReport(matched.report));
console.log(`identical replies with unlike scores: ${matched.report.identicalReplies}`);

// 3. One pair to read, and the file that wai export-pairs turns into what a trainer reads.
const [first] = matched.pairs;
console.log(
  `\nask       ${first?.prompt}\nchosen    ${first?.chosen.final_text}\nrejected  ${first?.rejected.final_text}`,
);
await writeJsonl(
  out("pairs.jsonl"),
  matched.pairs.map((pair) => ({ ...pair })),
);
console.log(`\nWritten: ${relative(stand, out("pairs.jsonl"))}`);
