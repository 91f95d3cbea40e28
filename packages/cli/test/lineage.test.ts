import { readFileSync, writeFileSync } from "node:fs";
import { specVersion } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { expect, test } from "vitest";
import { MIXED, written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const PROMPTS = MIXED.map(({ task_id, prompt }) => ({ task_id, prompt }));

test("wai stages: stamped files of two stages are compared, and a task in both is exit 1", async () => {
  const path = folder();
  written(path("all.jsonl"));
  const stamped = await wai(["stages", path("all.jsonl"), "--stamp", "rl", "-o", path("rl.jsonl")]);
  expect(stamped).toMatchObject({ code: 0, stdout: "" });
  expect(stamped.stderr).toMatch(/^stages: nothing is evaluated on\n {2}rl: 16 \(\d+ tasks\)\n$/);
  expect((await readRowFiles([path("rl.jsonl")])).rows.every(({ stage }) => stage === "rl")).toBe(true);
  written(
    path("eval.jsonl"),
    MIXED.slice(0, 2).map((row, i) => ({ ...row, rollout_id: `eval-${i}`, purpose: "holdout" })),
  );
  const { code, stdout } = await wai(["stages", path("rl.jsonl"), path("eval.jsonl")]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^stages: 1 task in eval and in training\n {2}rl: 16 .*\n {2}eval: 2 \(1 task\)\n! 1 task is in eval/,
  );
  written(path("other.jsonl"), [{ task_id: "q", prompt: "another", final_text: "f", reward: 1, purpose: "eval" }]);
  expect(await wai(["stages", path("rl.jsonl"), path("other.jsonl")])).toMatchObject({ code: 0 });
  expect(await wai(["stages", path("all.jsonl")])).toMatchObject({ code: 2 });
});

test.each([
  [["stages", "a.jsonl", "--stamp", "rl"], /^error: wai stages was given --stamp alone\.\nfix: Give -o FILE with it\./],
  [["stages", "a.jsonl", "-o", "b.jsonl"], /^error: wai stages was given -o alone\./],
  [["stages", "a.jsonl", "--stamp", "dpo", "-o", "b.jsonl"], /^error: --stamp got "dpo"/],
  [["stages", "a.jsonl", "--stamp", "rl", "-o", "a.jsonl"], /^error: .*a\.jsonl is a file that is read/],
  [["spec", "s.json", "a.jsonl"], /^error: wai spec was given 2 files\./],
  [["spec", "s.json", "--stamp", "a.jsonl"], /^error: wai spec was given --stamp alone\./],
  [["spec", "s.json", "--stamp", "a.jsonl", "-o", "s.json"], /^error: .*s\.json is a file that is read/],
  [["spec", "a.jsonl"], /^error: .*a\.jsonl is not JSON/],
  [["spec", "none.json"], /^error: There is no file/],
  [["spec", "empty.json"], /^error: .*empty\.json has no traits\./],
])("wai %j is refused", async (argv, said) => {
  const path = folder();
  written(path("a.jsonl"));
  writeFileSync(path("s.json"), '["Be kind."]');
  writeFileSync(path("empty.json"), "{}");
  const before = readFileSync(path("a.jsonl"), "utf8");
  const { code, stderr } = await wai(argv.map((word) => (/\./.test(word) ? path(word) : word)));
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(said) });
  expect(readFileSync(path("a.jsonl"), "utf8")).toBe(before);
});

test("wai spec: its traits and its version, which the rows then carry", async () => {
  const path = folder();
  const spec = {
    id: "support",
    traits: [{ id: "honest", principle: "Say what\nhappened.", authority: "must" }, "Be brief."],
  };
  writeFileSync(path("spec.json"), JSON.stringify({ ...spec, version: "0123456789ab" }));
  written(path("a.jsonl"), PROMPTS);
  const version = specVersion(spec);
  const said = `spec support, version ${version}: 2 traits
  honest (must) Say what happened.
  trait_1 (should) Be brief.
! The spec says version 0123456789ab and its content is version ${version}: it was edited since it was saved.
`;
  expect(await wai(["spec", path("spec.json")])).toEqual({ code: 0, stdout: said, stderr: "" });
  const stamp = ["spec", path("spec.json"), "--stamp", path("a.jsonl"), "-o", path("b.parquet")];
  expect(await wai(stamp)).toMatchObject({ code: 0, stdout: "", stderr: said });
  const { rows } = await readRowFiles([path("b.parquet")]);
  expect(rows).toHaveLength(16);
  for (const row of rows) expect(row).toMatchObject({ spec_id: "support", spec_version: version });
  writeFileSync(path("saved.json"), '\ufeff["Be kind."]\r\n');
  expect((await wai(["spec", path("saved.json")])).stdout).toMatch(/^spec spec, version [0-9a-f]{12}: 1 trait\n/);
});
