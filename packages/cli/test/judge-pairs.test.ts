import { readFileSync, writeFileSync } from "node:fs";
import { toWire } from "@while/schema";
import { judgePairs, type PairJudge, pairsOf } from "@while/trust";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const PAIRS = Array.from({ length: 20 }, (_, i) => ({
  prompt: `ask ${i}`,
  chosen: { final_text: "Refunded.", reward: 1, task_id: `t${i}` },
  rejected: { final_text: "Cannot say", reward: 0, task_id: `t${i}` },
  margin: 1,
}));

/** Judges by a word of the reply, by the screen, or not at all. */
const JUDGES = {
  right: `export default (a) => ({ winner: a.final_text === "Refunded." ? "A" : "B", reason: "it did" });\n`,
  first: `export default () => ({ winner: "A" });\n`,
  against: `export default (a) => '{"winner": "' + (a.final_text === "Refunded." ? "B" : "A") + '"}';\n`,
  down: `export default () => { throw new Error("down"); };\n`,
};

function files() {
  const path = folder();
  for (const [name, text] of Object.entries(JUDGES)) writeFileSync(path(`${name}.mjs`), text);
  return { path, pairs: written(path("pairs.jsonl"), PAIRS) };
}

test.each([
  ["right", 0, /^chosen preferred 100% \[0\.84\.\.1\.00\] over 20 pairs by /],
  ["first", 1, /\n! position bias: 20 of 20 pairs change with the order \(20 to the first reply shown/],
  ["against", 1, /\n! the judge prefers the rejected reply on 20 of 20 pairs/],
  ["down", 2, /^pairs: not measured, none of 20 pairs was judged in both orders\n/],
])("wai judge-pairs --judge %s.mjs exits %i", async (judge, code, text) => {
  const { path, pairs } = files();
  const outcome = await wai(["judge-pairs", pairs, "--judge", path(`${judge}.mjs`)]);
  expect(outcome).toMatchObject({ code, stderr: "" });
  expect(outcome.stdout).toMatch(text);
});

test("--json is toWire of judgePairs, and -o the pairs as they were with what the judge said", async () => {
  const { path, pairs } = files();
  const right: PairJudge = (a) => ({ winner: a.final_text === "Refunded." ? "A" : "B", reason: "it did" });
  const { report } = await judgePairs(pairsOf(PAIRS), Object.assign(right, { judgeName: "mine" }));
  const asked = ["judge-pairs", pairs, "--judge", path("right.mjs"), "--judge-name", "mine", "--json"];
  const { code, stdout } = await wai([...asked, "-o", path("judged.jsonl")]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
  const [first] = readFileSync(path("judged.jsonl"), "utf8").split("\n");
  expect(JSON.parse(first!)).toEqual({
    ...PAIRS[0],
    pairwise: {
      winner: "chosen",
      position_consistent: true,
      swapped: true,
      reasons: ["it did", "it did"],
      judge: "mine",
    },
    tie: false,
  });
});

test("a model is asked in its own words or in ours, and the file of a preference trainer is read", async () => {
  const { path } = files();
  writeFileSync(
    path("model.mjs"),
    `export default ([{ content }]) => JSON.stringify({ winner: content === "Pick." ? "tie" : "A" });\n`,
  );
  writeFileSync(path("pick.md"), "Pick.");
  const trl = written(path("trl.jsonl"), [
    {
      prompt: [{ role: "user", content: "Hi" }],
      chosen: [{ role: "assistant", content: "a" }],
      rejected: [{ role: "assistant", content: "b" }],
    },
  ]);
  const model = ["judge-pairs", trl, "--model", path("model.mjs"), "--json"];
  expect(JSON.parse((await wai(model)).stdout)).toMatchObject({ n_judged: 1, position_flips: 1, tie_rate: 1 });
  const own = await wai([...model, "--prompt", path("pick.md"), "--no-swap"]);
  expect(JSON.parse(own.stdout)).toMatchObject({ n_judged: 1, swap: false, tie_rate: 1 });
});

test.each([
  [[], /^error: wai judge-pairs was given no judge\.\nfix: Give one of --judge and --model\./],
  [["--judge", "right.mjs", "--model", "m.mjs"], /^error: wai judge-pairs was given --judge and --model\./],
  [["--judge", "right.mjs", "--prompt", "p.md"], /^error: --prompt is for a model\./],
  [["--judge", "none.mjs"], /^error: --judge names .*none\.mjs, and there is no such file\./],
  [["--model", "openai:x", "--prompt", "none.md"], /^error: --prompt names none\.md, and there is no such file\./],
  [["--judge", "right.mjs", "-o", "pairs.jsonl"], /^error: .*pairs\.jsonl is a file that is read\./],
  [["--judge", "right.mjs", "--from", "trl"], /^error: .*--from/],
  [["--judge", "right.mjs", "--concurrency", "99"], /^error: .*99/],
])("wai judge-pairs pairs.jsonl %j is refused", async (flags, message) => {
  const { path, pairs } = files();
  const words = flags.map((word) => (/\.(mjs|jsonl)$/.test(word) ? path(word) : word));
  const { code, stderr } = await wai(["judge-pairs", pairs, ...words]);
  expect(code).toBe(3);
  expect(stderr).toMatch(message);
});

test("a file of rollouts is no file of pairs", async () => {
  const { path } = files();
  const { code, stderr } = await wai(["judge-pairs", written(path("rows.jsonl")), "--judge", path("right.mjs")]);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^error: Record 1 of .*rows\.jsonl is no pair: it has the keys .*\nfix: Give every record a chosen and a rejected/,
  );
});
