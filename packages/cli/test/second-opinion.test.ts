import { writeFileSync } from "node:fs";
import { censusOf, toWire } from "@while/schema";
import { readRowFiles, writeJsonl } from "@while/schema/files";
import { passAt, passAtBy, secondOpinion } from "@while/stats";
import { expect, test } from "vitest";
import { MIXED } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

/** Three tasks of two trials, of which one was lost: tau-bench counts it as a failure. */
const ITEMS = [
  ...[1, 1, 1, 0, 1].map((reward, i) => ({
    task_id: Math.floor(i / 2),
    trial: i % 2,
    reward,
    info: {},
    traj: [
      { role: "system", content: "# Airline Agent Policy" },
      { role: "user", content: `Ask ${i}` },
      { role: "assistant", content: "Done." },
    ],
  })),
  { task_id: 2, trial: 1, reward: 0, info: { error: "timeout", traceback: "" }, traj: [] },
];

function results(): { path: (name: string) => string; file: string } {
  const path = folder();
  const file = path("results.json");
  writeFileSync(file, JSON.stringify(ITEMS));
  return { path, file };
}

test("wai pass-at prints what the tool says beneath its curve, and why it is another number", async () => {
  const { file } = results();
  const { code, stdout } = await wai(["pass-at", file, "--quiet"]);
  expect(code).toBe(0);
  expect(stdout.split("\n\n")[2]!.replaceAll(file, "FILE")).toBe(
    `second opinion: 0 of 3 numbers of the tools are ours too, 3 differ
                                 tool              ours
  FILE
    tau-bench, 5 of 6 rows of 3 tasks graded 0 or 1
    average reward               0.667             0.833 [0.266..0.986]  differs
      worked out from its items: the mean reward over all items, those that ended in an exception with the 0 that the file has for them
      - the tool counts 1 lost trial with the reward in the file, 0.000 in all, and here none is counted (0.833 to 0.667)
    pass^1                       0.667             0.833 [0.266..0.986]  differs
      worked out from its items: C(c, k) / C(n, k) of c passes, n being 2 trials a task, averaged over tasks, over all items, those that ended in an exception with the 0 that the file has for them
      - the tool counts 1 lost trial as no pass, and here none is counted (0.833 to 0.667)
    pass^2                       0.333             0.500  differs
      - the tool counts 1 lost trial as no pass, and here none is counted (0.500 to 0.333)
`,
  );
});

test.each([[[]], [["--strict"]]])("wai rows %j prints it beneath the fields", async (flags) => {
  const { file } = results();
  const { code, stdout } = await wai(["rows", file, "--quiet", ...flags]);
  expect(code).toBe(0);
  expect(stdout.split("\n\n").at(-1)).toContain("second opinion: 0 of 3 numbers of the tools are ours too, 3 differ");
});

test("rows that are converted are counted on their way", async () => {
  const { path, file } = results();
  const { stderr } = await wai(["rows", file, "-o", path("rows.jsonl")]);
  expect(stderr).toContain("second opinion: 0 of 3 numbers");
});

test("--json is the report of the library with second_opinion beside it", async () => {
  const { path, file } = results();
  const plain = path("rows.jsonl");
  await writeJsonl(plain, MIXED, {});
  const { rows, report } = await readRowFiles([plain, file]);
  const opinion = secondOpinion(rows, report);
  expect(opinion).toMatchObject({ nOtherFiles: 1, files: [{ path: file, format: "tau-bench" }] });
  const cases = [
    [["rows"], censusOf(rows, { report })],
    [["pass-at"], passAt(rows)],
    [["pass-at", "--by", "category"], passAtBy(rows, "category")],
  ] as const;
  for (const [argv, own] of cases) {
    const [verb, ...flags] = argv;
    const { stdout } = await wai([verb, plain, file, ...flags, "--json", "--quiet"]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire({ ...own, secondOpinion: opinion }))));
  }
});

test("of files that no tool reports on, nothing is said", async () => {
  const path = folder();
  await writeJsonl(path("rows.jsonl"), MIXED, {});
  for (const verb of ["rows", "pass-at"]) {
    expect((await wai([verb, path("rows.jsonl")])).stdout).not.toContain("second opinion");
    const { stdout } = await wai([verb, path("rows.jsonl"), "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ second_opinion: null });
  }
});
