import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Row, toWire } from "@while/schema";
import { readRowFiles, writeSidecar } from "@while/schema/files";
import { decontaminate } from "@while/trust";
import { readEvalRows } from "@while/trust/files";
import { describe, expect, test } from "vitest";
import { folder, wai } from "./terminal.ts";

const COWS = "A farmer has twelve cows and sells three of them at the market on Friday.";
const TRAIN: Row[] = [
  { task_id: "a", prompt: `${COWS.toUpperCase()} How many remain?`, reward: 1 },
  { task_id: "b", prompt: "Write a poem about the sea.", reward: 0 },
  { task_id: "c", prompt: "Where is my parcel 9911?", reward: 1 },
];
const EVAL: Row[] = [
  { task_id: "cows", prompt: COWS, answer: "9" },
  { task_id: "c2", prompt: "where is my parcel 9911" },
];
const jsonl = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function files(): (name: string) => string {
  const path = folder();
  writeFileSync(path("train.jsonl"), jsonl(TRAIN));
  writeFileSync(path("eval.jsonl"), jsonl(EVAL));
  return path;
}

test("contaminated rows are named, the clean ones are copied, and the exit code is 1", async () => {
  const path = files();
  await writeSidecar(path("train.jsonl"), { system_prompt: "Be brief." });
  const argv = ["decontaminate", path("train.jsonl"), "--against", path("eval.jsonl"), "-o", path("clean.jsonl")];
  const { code, stdout, stderr } = await wai(argv);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.split("\n")[0]).toBe(
    "decontaminate: 2 of 3 rows dropped (66.7%), 1 kept; against 2 evaluation rows, rules v2",
  );
  expect(stderr).toContain("row 0 prompt near, 83% of the row ~ cows\n    [a farmer has");
  expect(readFileSync(path("clean.jsonl"), "utf8")).toBe(jsonl(TRAIN.slice(1, 2)));
  expect(JSON.parse(readFileSync(path("clean.meta.json"), "utf8"))).toMatchObject({ system_prompt: "Be brief." });
  const again = await wai(["decontaminate", path("clean.jsonl"), "--against", path("eval.jsonl")]);
  expect(again).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  [[]],
  [["--rules", "v1"]],
  [["--ngram", "5", "--overlap", "0.5"]],
  [["--numbers", "--fields", "prompt,final_text"]],
  [["--jaccard", "0.5", "--drop-duplicates"]],
  [["--known-clean", "eval.jsonl"]],
  [["--shingles", "chars"]],
  [["--code"]],
  [["--profile", "llama2", "--skip", "2", "--longest-match"]],
])("%j --json is toWire of the library's report", async (flags) => {
  const path = files();
  const named = flags.map((flag) => (flag.endsWith(".jsonl") ? path(flag) : flag));
  const argv = ["decontaminate", path("train.jsonl"), ...named, "--against", path("eval.jsonl"), "--json"];
  const { stdout } = await wai(argv);
  const options = {
    ...(flags.includes("v1") ? { rules: "v1" as const } : {}),
    ...(flags.includes("5") ? { n: 5, overlap: 0.5 } : {}),
    ...(flags.includes("--skip") ? { profile: "llama2" as const, skip: 2, longestMatch: true } : {}),
    ...(flags.includes("--code") ? { code: true } : {}),
    ...(flags.includes("--shingles") ? { shingles: "chars" as const } : {}),
    ...(flags.includes("--known-clean") ? { knownClean: await readEvalRows(path("eval.jsonl")) } : {}),
    ...(flags.includes("--jaccard") ? { jaccard: 0.5, jaccardAction: "drop" as const } : {}),
    ...(flags.includes("--numbers") ? { numbersAs: "0" as const, fields: ["prompt", "final_text"] } : {}),
  };
  const { rows } = await readRowFiles([path("train.jsonl")]);
  const { report } = await decontaminate(rows, await readEvalRows(path("eval.jsonl")), options);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
});

test("rows of another kind and of several files are read, not copied", async () => {
  const path = files();
  writeFileSync(path("train.csv"), `prompt,reward\n"${COWS}",1\nhello,0\n`);
  const words = ["train.csv", "train.jsonl", "--against", "eval.jsonl", "-o", "out.jsonl"];
  const { code } = await wai(["decontaminate", ...words.map((word) => (word.includes(".") ? path(word) : word))]);
  expect(code).toBe(1);
  const { rows } = await readRowFiles([path("out.jsonl")]);
  expect(rows.map(({ prompt }) => prompt)).toEqual(["hello", TRAIN[1]!.prompt]);
});

test("an embedder drops by meaning", async () => {
  const path = files();
  writeFileSync(
    path("embed.mjs"),
    "export default (texts) => texts.map((t) => (/sea|cows/i.test(t) ? [1, 0] : [0, 1]));\n",
  );
  const argv = ["decontaminate", path("train.jsonl"), "--against", path("eval.jsonl"), "--embedder", path("embed.mjs")];
  for (const flags of [[], ["--semantic-search", "probed"]]) {
    const { code, stdout } = await wai([...argv, "--similarity", "0.9", ...flags]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}semantic +1 +cosine of at least 0\.9$/m);
    expect(stdout.includes("its nearest clusters")).toBe(flags.length > 0);
  }
});

test("a judge settles what only reads alike", async () => {
  const path = files();
  writeFileSync(path("train.jsonl"), jsonl([{ task_id: "d", prompt: "where was my parcel 9911" }]));
  writeFileSync(
    path("judge.mjs"),
    "export default (evalText, rowText) => evalText.replace('is', 'was') === rowText;\n",
  );
  const argv = ["decontaminate", path("train.jsonl"), "--against", path("eval.jsonl"), "--judge", path("judge.mjs")];
  const { code, stdout } = await wai([...argv, "--judge-budget", "1"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}judge +1 +listed, and an evaluation question by the judge; 1 asked$/m);
  expect((await wai([...argv, "--judge-budget", "0"])).code).toBe(0);
});

test("--timing says what it took, on stderr", async () => {
  const path = files();
  const { stderr } = await wai(["decontaminate", path("train.jsonl"), "--against", path("eval.jsonl"), "--timing"]);
  expect(stderr).toMatch(/^note: 3 rows in [\d.]+ s \([\d,]+ rows\/s\), at most \d+ MB of memory\n$/);
});

describe("refuses", () => {
  test.each<[string, string[], number, RegExp]>([
    ["no evaluation", ["train.jsonl"], 3, /given no evaluation\.\nfix: Name it: --against EVAL\./],
    [
      "an evaluation that is not there",
      ["train.jsonl", "--against", "evil.jsonl"],
      3,
      /no file .*evil\.jsonl\.\nfix: Did you mean .*eval\.jsonl\?/,
    ],
    [
      "an output that is the evaluation",
      ["train.jsonl", "--against", "eval.jsonl", "-o", "eval.jsonl"],
      3,
      /eval\.jsonl is a file that is read\./,
    ],
    ["a share above 1", ["train.jsonl", "--against", "eval.jsonl", "--overlap", "80"], 3, /--overlap got "80"\./],
    [
      "a similarity of nothing",
      ["train.jsonl", "--against", "eval.jsonl", "--similarity", "0.9"],
      3,
      /came without --embedder\./,
    ],
    [
      "a budget for no judge",
      ["train.jsonl", "--against", "eval.jsonl", "--judge-budget", "3"],
      3,
      /--judge-budget came without --judge\./,
    ],
    [
      "a way of searching without vectors",
      ["train.jsonl", "--against", "eval.jsonl", "--semantic-search", "probed"],
      3,
      /--semantic-search came without --embedder\./,
    ],
    ["training rows that are not there", ["trains.jsonl", "--against", "eval.jsonl"], 3, /no file .*trains\.jsonl\./],
    [
      "a bad line",
      ["bad.jsonl", "--against", "eval.jsonl", "-o", "out.jsonl"],
      3,
      /bad\.jsonl, line 2 is no JSON\.\nfix: .*--skip-bad/,
    ],
    [
      "to say clean where nothing was compared",
      ["train.jsonl", "--against", "empty.jsonl"],
      2,
      /^decontaminate: 0 of 3 rows dropped/,
    ],
  ])("%s", async (_, words, code, said) => {
    const path = files();
    writeFileSync(path("bad.jsonl"), '{"prompt":"a"}\n{"prompt"\n');
    writeFileSync(path("empty.jsonl"), "");
    const outcome = await wai(["decontaminate", ...words.map((word) => (word.endsWith(".jsonl") ? path(word) : word))]);
    expect(outcome.stdout + outcome.stderr).toMatch(said);
    expect(outcome.code).toBe(code);
    expect(existsSync(path("out.jsonl"))).toBe(false);
  });
});
