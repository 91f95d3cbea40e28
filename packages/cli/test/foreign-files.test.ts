import { copyFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

test("an Inspect archive is a file like any other, also in a folder beside what holds no rows", async () => {
  const name = "2026-01-02T03-04-05_arith_t2.eval";
  const fixture = fileURLToPath(new URL(`../../schema/test/fixtures/inspect/${name}`, import.meta.url));
  const path = folder();
  copyFileSync(fixture, path("log.eval"));
  writeFileSync(path("README.md"), "# Notes\n");
  const read = await wai(["rows", path("."), "--json"]);
  expect(JSON.parse(read.stdout)).toMatchObject({ rows: 4, tasks: 2 });
  const said = await wai(["rows", path(".")]);
  expect(said.code).toBe(0);
  expect(said.stdout).toContain("1 file gives no rows: README.md is text.");
  expect(said.stdout).toContain("The reward is that of the scorer match; the log also has includes, style.");
  expect((await wai(["pass-at", path("log.eval")])).stdout).toMatch(/^pass@1 0\.75 /);
});
