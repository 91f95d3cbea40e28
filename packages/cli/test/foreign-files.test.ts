import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folder, wai } from "./terminal.ts";

const sample = { doc_id: 1, arguments: [["q", {}]], filtered_resps: ["a"], filter: "strict-match", exact_match: 1 };
const plain = { doc_id: 1, arguments: [["q", {}]], filtered_resps: ["a"], bleu: 0.5, chrf: 0.25 };
const log = (value: unknown) => ({
  status: "success",
  eval: { task: "t", model: "m" },
  samples: [{ id: 1, epoch: 1, input: "q", scores: { judge: { value } } }],
});

test.each([
  [
    "several filters",
    [sample, { ...sample, filter: "flexible-extract" }],
    /^fix: Pass --filter as one of strict-match, flexible-extract\.$/m,
    ["--filter", "strict-match"],
  ],
  ["several metrics", [plain], /^fix: Pass --reward-key as one of bleu, chrf\.$/m, ["--reward-key", "chrf"]],
  [
    "a scorer with several numbers",
    [log({ brief: 1, kind: 0 })],
    /^fix: Pass --score-key as one of brief, kind\.$/m,
    ["--score-key", "kind"],
  ],
  ["a scorer that is not there", [log("C")], /^fix: Pass --scorer as one of judge\.$/m, ["--scorer", "judge"]],
])("%s: the flag to pass is named, and with it the file is read", async (name, records, fix, flags) => {
  const path = folder()("results.jsonl");
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join("\n"));
  const wrong = name === "a scorer that is not there" ? ["--scorer", "jugde"] : [];
  const refused = await wai(["rows", path, ...wrong]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toMatch(fix);
  const read = await wai(["rows", path, ...flags, "--json"]);
  expect(read.code).toBe(0);
  expect(JSON.parse(read.stdout)).toMatchObject({ rows: 1, tasks: 1 });
});
