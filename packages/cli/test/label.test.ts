import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { expect, test } from "vitest";
import { MIXED, written } from "./rollouts.ts";
import { folder, spawnWai, wai } from "./terminal.ts";

const CSV = "key,label,annotator\na-0,yes,ann\na-1,no,ann\na-1,yes,bo\nz-9,1,ann\n";

test("labels of a table lie on their rows, the rest of the file is as it was", async () => {
  const path = folder();
  const meta = { system_prompt: "Refund what was asked for." };
  await writeJsonl(path("a.jsonl"), MIXED, { meta });
  writeFileSync(path("labels.csv"), CSV);
  const before = await readRowFiles([path("a.jsonl")]);
  const { code, stdout, stderr } = await wai([
    "label",
    path("a.jsonl"),
    "--labels",
    path("labels.csv"),
    "--kind",
    "human",
  ]);
  expect(code).toBe(0);
  expect(stdout.split("\n")[0]).toBe("3 of 4 labels on 2 rows by ann, bo");
  expect(stdout).toContain("1 label names no row (z-9).");
  expect(stderr).toBe(`note: rows in ${path("a.labeled.jsonl")}\n`);
  const { rows, report } = await readRowFiles([path("a.labeled.jsonl")]);
  expect(rows[0]).toEqual({
    ...before.rows[0],
    gold_labels: [{ label: 1, annotator: "ann", kind: "human" }],
    gold_reward: 1,
    gold_kind: "human",
  });
  expect(rows[1]?.gold_labels).toHaveLength(2);
  expect(rows.slice(2)).toEqual(before.rows.slice(2));
  expect(report.systemPrompts).toEqual(before.report.systemPrompts);
});

test("with --marks the labels are marks, and their mean is a share of the scale", async () => {
  const path = folder();
  writeFileSync(path("marks.csv"), "key,rating,annotator\na-0,4,ann\na-0,5,bo\na-1,9,ann\n");
  const labels = ["--labels", path("marks.csv"), "--marks", "1,5", "--kind", "human", "-o", path("b.jsonl")];
  const { code, stderr } = await wai(["label", written(path("a.jsonl")), ...labels]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "2 of 3 labels on 1 row by ann, bo\n  ! 1 rating is no mark from 1 to 5 (9) and not used.\n",
  });
  const { rows } = await readRowFiles([path("b.jsonl")]);
  expect(rows[0]).toMatchObject({ gold_score: 0.875, gold_ratings: [{ rating: 4, scale: [1, 5] }, { rating: 5 }] });
  expect(rows[1]).not.toHaveProperty("gold_score");
});

test("a kind that nobody said is assumed, and the flag that says it is named", async () => {
  const path = folder();
  writeFileSync(path("l.jsonl"), '{"key":"a-0","label":1}\n');
  const { stdout } = await wai(["label", written(path("a.jsonl")), "--labels", path("l.jsonl")]);
  expect(stdout).toContain("taken for a person's, as nothing said the kind. Pass --kind human, program or model,");
});

test("labels of which none can be used write no file", async () => {
  const path = folder();
  writeFileSync(path("l.csv"), "key,label\na-0,maybe\n");
  const { code, stdout } = await wai(["label", written(path("a.jsonl")), "--labels", path("l.csv"), "--kind", "human"]);
  expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: 1, first: "0 of 1 label on 0 rows" });
  expect(existsSync(path("a.labeled.jsonl"))).toBe(false);
});

test.each<[string, string[], RegExp]>([
  ["no labels", [], /^error: wai label was given no labels\.\nfix: Name their file with --labels FILE\.\n$/],
  ["labels that are not there", ["--labels", "nowhere.csv"], /^error: There is no file .*nowhere\.csv\./],
  [
    "a key of several rows",
    ["--labels", "several.csv"],
    /^error: 1 key of the labels names more than one row, .+ a \(a-0, a-1, a-2 and 1 more\)\.\nfix: Write /,
  ],
  [
    "labels that name no row",
    ["--labels", "none.csv"],
    /^error: The label names no row: q\. The rows are called a-0, a-1, a-2, …\.\nfix: /,
  ],
  [
    "an output that is the labels",
    ["--labels", "none.csv", "-o", "none.csv"],
    /^error: .*none\.csv is a file that is read\./,
  ],
  [
    "an unknown kind",
    ["--labels", "none.csv", "--kind", "person"],
    /^error: --kind got "person"\.\nfix: Give --kind one of human, program, model/,
  ],
])("refuses %s", async (_what, argv, said) => {
  const path = folder();
  written(path("a.jsonl"));
  writeFileSync(path("several.csv"), "task_id,label\na,1\n");
  writeFileSync(path("none.csv"), "key,label\nq,1\n");
  const { code, stderr } = await wai([
    "label",
    path("a.jsonl"),
    ...argv.map((word) => (word.endsWith(".csv") ? path(word) : word)),
  ]);
  expect(stderr).toMatch(said);
  expect(code).toBe(3);
  expect(readFileSync(path("none.csv"), "utf8")).toBe("key,label\nq,1\n");
});

test("labels may come from stdin, but not together with the rows", async () => {
  const path = folder();
  written(path("a.jsonl"));
  const piped = ["label", "a.jsonl", "--labels", "-", "--kind", "program", "-o", "b.jsonl"];
  expect(await spawnWai(piped, { cwd: path("."), stdin: '{"key":"a-0","label":1}\n' })).toMatchObject({ code: 0 });
  expect(await wai(["label", "-", "--labels", "-"])).toMatchObject({ code: 3 });
});

test("--consensus says how often each annotator errs, and decides by that", async () => {
  const path = folder();
  const rows = Array.from({ length: 60 }, (_, i) => ({ rollout_id: `r${i}`, prompt: "p", final_text: `${i}` }));
  await writeJsonl(path("a.jsonl"), rows);
  const labels = rows.flatMap(({ rollout_id: key }, i) => {
    const truth = i % 2;
    const slips = [i % 10 === 0, i % 10 === 4, i % 10 === 8];
    const careful = ["ann", "bo", "cy"].map((annotator, at) => ({
      key,
      annotator,
      label: slips[at] ? 1 - truth : truth,
    }));
    return [...careful, ...["dee", "eve"].map((annotator) => ({ key, annotator, label: 1 }))];
  });
  writeFileSync(path("l.jsonl"), labels.map((label) => `${JSON.stringify(label)}\n`).join(""));
  const given = ["label", path("a.jsonl"), "--labels", path("l.jsonl"), "--kind", "human", "--consensus"];
  const { code, stdout } = await wai(given);
  expect(code).toBe(0);
  expect(stdout).toContain("consensus of 5 annotators on 60 rows, 50% of them good");
  expect(stdout).toContain("18 rows have another gold than the majority gave");
  const { rows: labeled } = await readRowFiles([path("a.labeled.jsonl")]);
  expect(labeled.map((row) => row.gold_reward)).toEqual(rows.map((_, i) => i % 2));
  const { stdout: json } = await wai([...given, "--json"]);
  expect(JSON.parse(json)).toMatchObject({ matched: 300, consensus: { n_changed: 18, min_annotators: 3 } });
  expect(await wai([...given, "--marks", "1,5"])).toMatchObject({ code: 3 });
});
