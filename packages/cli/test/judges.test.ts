import { readFileSync, writeFileSync } from "node:fs";
import { attachLabels, type Row, toWire } from "@while/schema";
import { compareJudges } from "@while/trust";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

/** A person's label, two recorded judges that err where the other does not, and one that guesses. */
const ROWS: Row[] = Array.from({ length: 120 }, (_, i) => {
  const label = i % 2;
  return {
    ...{ rollout_id: `r${i}`, task_id: `t${i}`, prompt: `ask ${i}`, final_text: `reply ${i}`, label_of_ann: label },
    ...{ gpt: i % 15 === 0 ? 1 - label : label, rule: i % 17 === 1 ? 1 - label : label, coin: i % 4 < 2 ? 1 : 0 },
  };
});
const LABELS = ROWS.map(({ rollout_id, label_of_ann }) => ({ key: rollout_id, label: label_of_ann }));
const COLUMNS = ["--columns", "gpt,rule,coin"];

test("wai judges on recorded verdicts: which holds, which are tied, and what a vote would say", async () => {
  const path = folder();
  const file = written(path("g.jsonl"), ROWS);
  const labels = ["--labels", written(path("l.jsonl"), LABELS), "--kind", "human"];
  const { code, stdout, stderr } = await wai(["judges", file, ...COLUMNS, ...labels]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^best judge: rule, on 120 labels \(human\); no difference shown between rule and gpt\n/);
  expect(stdout).toMatch(/\n {2}coin .* no\n/);
  expect(stdout).toMatch(/\n {2}together worth \d\.\d\d .* independent judges of 3 on 120 rows: /);
  expect(stdout).toMatch(/\n {2}by vote: agreement /);

  const none = await wai(["judges", file, "--columns", "coin,gpt", ...labels, "--min-agreement", "0.99"]);
  expect(none.code).toBe(1);
  expect(none.stdout).toMatch(/^no judge holds; the first: gpt/);
});

test("-o writes the rows with the reward that most of the judges give", async () => {
  const path = folder();
  const file = written(path("g.jsonl"), ROWS);
  const labels = ["--labels", written(path("l.jsonl"), LABELS), "--kind", "human"];
  const asked = ["judges", file, ...COLUMNS, ...labels, "-o", path("voted.jsonl"), "--quiet"];
  expect(await wai(asked)).toMatchObject({ code: 0, stdout: "" });
  const rows = readFileSync(path("voted.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(120);
  for (const { reward, gpt, rule, coin } of rows) expect(reward).toBe(gpt + rule + coin > 1 ? 1 : 0);
  expect(rows[0]).toMatchObject({
    judge_name: "vote:gpt+rule+coin",
    judge_meta: { votes: { gpt: 1, rule: 0, coin: 1 } },
  });
  expect((await wai(["judges", file, ...COLUMNS, ...labels, "-o", file])).code).toBe(3);
});

test("modules and columns beside each other, and --json is toWire of compareJudges", async () => {
  const path = folder();
  const file = written(path("g.jsonl"), ROWS);
  writeFileSync(path("rule.mjs"), "export default (row) => ({ reward: row.rule, judge_meta: { input_tokens: 3 } });\n");
  const labels = ["--labels", written(path("l.jsonl"), LABELS), "--kind", "human"];
  const asked = ["judges", file, "--columns", "gpt", "--modules", path("rule.mjs"), ...labels, "--json"];
  const { code, stdout } = await wai(asked);
  expect(code).toBe(0);
  const { rows } = attachLabels(ROWS, LABELS, { kind: "human" });
  const { report } = await compareJudges(rows, {
    gpt: (row) => Number(row.gpt),
    "rule.mjs": (row) => ({ reward: Number(row.rule), judge_meta: { input_tokens: 3 } }),
  });
  const timeless = (value: unknown) => JSON.stringify(value).replaceAll(/"seconds(_per_row)?":[\d.e-]+/g, "");
  expect(timeless(JSON.parse(stdout))).toBe(timeless(toWire(report)));
});

test("a model is a judge by its name, and text of a table is a verdict", async () => {
  const path = folder();
  const table = ROWS.map(({ label_of_ann: label, gpt, prompt, task_id }) => `${task_id},${prompt},so,${label},${gpt}`);
  writeFileSync(path("g.csv"), `task_id,prompt,final_text,label_of_ann,gpt\r\n${table.join("\r\n")}\r\n`);
  writeFileSync(path("yes.mjs"), `export default () => '{"reason": "so", "score": 1}';\n`);
  const asked = ["judges", path("g.csv"), "--columns", "gpt", "--models", path("yes.mjs"), "--gold", "label_of_ann"];
  const { code, stdout, stderr } = await wai([...asked, "--allow-model-gold", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ best: "gpt", n_gold: 120, judges: [{ name: "gpt" }, { agreement: 0.5 }] });
});

test.each([
  [[], /^error: wai judges was given no judge\.\nfix: Name two or more with --columns, --modules and --models/],
  [["--columns", "gpt"], /^error: wai judges was given one judge\./],
  [["--columns", "gpt,gpt"], /^error: Two judges are called gpt\./],
  [
    ["--columns", "gpt,rul"],
    /^error: --columns names rul, and none of 120 rows has it\.\nfix: Give columns of the rows: .*rule/,
  ],
  [["--columns", "gpt,rule", "--rubric", "r.md"], /^error: --rubric is for models\./],
  [["--columns", "gpt,rule", "--kind", "human"], /^error: --kind says who gave labels, and there are none\./],
  [["--columns", "gpt,rule", "--labels", "l.csv", "--gold", "x"], /^error: --gold and --labels were both given\./],
  [["--columns", "gpt,rule"], /^error: None of 120 rows has a label of 0 or 1 in gold_reward\.\nfix: /],
  [["--columns", "gpt", "--modules", "none.mjs"], /^error: --modules names none\.mjs, and there is no such file\./],
])("wai judges g.jsonl %j is refused", async (flags, message) => {
  const path = folder();
  const { code, stderr } = await wai(["judges", written(path("g.jsonl"), ROWS), ...flags]);
  expect(code).toBe(3);
  expect(stderr).toMatch(message);
});
