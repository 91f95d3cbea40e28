import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { jsonl, MIXED, written } from "./rollouts.ts";
import { folder, spawnWai } from "./terminal.ts";

/** A file to make, and what `wai rows` is to say of it. */
interface BadInput {
  name: string;
  make(path: (name: string) => string): void;
  argv: readonly string[];
  error: RegExp;
  fix: RegExp;
}

const good = (i: number): string =>
  `${JSON.stringify({ task_id: `t${i}`, prompt: "x", final_text: "y", reward: 1 })}\n`;
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

const BAD: readonly BadInput[] = [
  {
    name: "a file that is not there",
    make: (path) => written(path("rollouts.jsonl")),
    argv: ["rolouts.jsonl"],
    error: /^error: There is no file rolouts\.jsonl\.$/,
    fix: /^fix: Did you mean rollouts\.jsonl\?$/,
  },
  {
    name: "a file that is not there, beside one that nobody meant",
    make: (path) => written(path("bom.jsonl")),
    argv: ["nope.jsonl"],
    error: /^error: There is no file nope\.jsonl\.$/,
    fix: /^fix: Check the path\.$/,
  },
  {
    name: "nothing on standard input",
    make: () => {},
    argv: ["-"],
    error: /^error: Standard input is empty\.$/,
    fix: /^fix: Check the run that should have written it\.$/,
  },
  {
    name: "standard input, twice",
    make: () => {},
    argv: ["-", "-"],
    error: /^error: Standard input is named twice\.$/,
    fix: /^fix: Name - once/,
  },
  {
    name: "an empty file",
    make: (path) => writeFileSync(path("a.jsonl"), ""),
    argv: ["a.jsonl"],
    error: /^error: a\.jsonl is empty\.$/,
    fix: /^fix: /,
  },
  {
    name: "a folder without rows",
    make: (path) => mkdirSync(path("a")),
    argv: ["a"],
    error: /^error: a is a folder without rows: it is empty\.$/,
    fix: /^fix: /,
  },
  {
    name: "gzip that breaks off",
    make: (path) => writeFileSync(path("a.jsonl.gz"), gzipSync(jsonl(MIXED)).subarray(0, 200)),
    argv: ["a.jsonl.gz"],
    error: /^error: a\.jsonl\.gz is gzip that breaks off/,
    fix: /^fix: Fetch or write the file again\.$/,
  },
  {
    name: "a bad line at 5,000 of 10,000",
    make: (path) => {
      const lines = Array.from({ length: 10_000 }, (_, i) => (i === 4_999 ? '{"task_id": "t\n' : good(i)));
      writeFileSync(path("a.jsonl"), lines.join(""));
    },
    argv: ["a.jsonl"],
    error: /^error: .+ \(a\.jsonl:5000\)$/,
    fix: /--skip-bad/,
  },
  {
    name: "a reward that is the text NaN",
    make: (path) =>
      writeFileSync(path("a.jsonl"), `${good(1)}{"task_id":"a","prompt":"x","final_text":"y","reward":"NaN"}\n`),
    argv: ["a.jsonl"],
    error: /^error: reward is the text "NaN" and not a number\. \(a\.jsonl:2\)$/,
    fix: /^fix: Write a number from 0 to 1, or null/,
  },
  {
    name: "a reward of 3",
    make: (path) => writeFileSync(path("a.jsonl"), `{"task_id":"a","prompt":"x","final_text":"y","reward":3}\n`),
    argv: ["a.jsonl"],
    error: /^error: reward is 3, outside 0 to 1\. \(a\.jsonl:1\)$/,
    fix: /^fix: Pass --scale LOWEST,HIGHEST .+ or --threshold/,
  },
  {
    name: "two files with one rollout_id",
    make: (path) => {
      written(path("a.jsonl"), [MIXED[0]]);
      written(path("b.jsonl"), [MIXED[1], MIXED[0]]);
    },
    argv: ["a.jsonl", "b.jsonl"],
    error: /^error: .*rollout_id "a-0" .+ a\.jsonl:1\. \(b\.jsonl:2\)$/,
    fix: /--duplicates keep/,
  },
  {
    name: "a flag that does not exist",
    make: (path) => written(path("a.jsonl")),
    argv: ["a.jsonl", "--skip-bda"],
    error: /^error: wai rows has no flag --skip-bda\.$/,
    fix: /^fix: Did you mean --skip-bad\?$/,
  },
  {
    name: "a picture",
    make: (path) => writeFileSync(path("a.jsonl"), PNG),
    argv: ["a.jsonl"],
    error: /^error: a\.jsonl is a PNG image, not rows\.$/,
    fix: /^fix: /,
  },
];

test.each(BAD)("$name: one line and its fix, exit 3, nothing written", async ({ make, argv, error, fix }) => {
  const path = folder();
  make(path);
  const before = readdirSync(path("."));
  const { code, stdout, stderr } = await spawnWai(["rows", ...argv, "-o", "out.jsonl"], { cwd: path(".") });
  const [first, second, ...more] = stderr.split("\n");
  expect(first).toMatch(error);
  expect(second).toMatch(fix);
  expect({ code, stdout, more }).toEqual({ code: 3, stdout: "", more: [""] });
  expect(readdirSync(path("."))).toEqual(before);
});

test("a file with some bad lines names the first five and their number", async () => {
  const path = folder();
  writeFileSync(path("a.jsonl"), Array.from({ length: 20 }, (_, i) => (i % 3 === 1 ? "nonsense\n" : good(i))).join(""));
  const { code, stderr } = await spawnWai(["rows", path("a.jsonl")]);
  expect(code).toBe(3);
  expect(stderr.split("\n")[0]).toMatch(
    /7 bad rows: line 2 .+; line 5 .+; line 8 .+; line 11 .+; line 14 .+, and 2 more/,
  );
});
