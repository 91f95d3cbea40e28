import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Row, taskKey } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const file = fileURLToPath(new URL("../../../../shared/data/tau-bench/gpt-4o-airline.json", import.meta.url));
const isHere = existsSync(file);
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

interface Halves {
  before: Row[];
  after: Row[];
  /** Tasks of the after side without a pass, and those that pass on both sides. */
  failing: string[];
  passing: string[];
}

/** 50 tasks of the airline domain, four trials each, one agent: trials 0 and 1 are before, 2 and 3 after. */
async function halves(): Promise<Halves> {
  const { rows } = await readRowFiles([file]);
  const trials = (wanted: readonly number[]) => rows.filter(({ rollout_index }) => wanted.includes(rollout_index!));
  const [before, after] = [trials([0, 1]), trials([2, 3])];
  const passed = ([] as Row[][])
    .concat([before, after])
    .map((side) => new Set(side.filter(({ reward }) => reward === 1).map(taskKey)));
  const tasks = [...new Set(after.map(taskKey))];
  return {
    ...{ before, after },
    failing: tasks.filter((task) => !passed[1]!.has(task)),
    passing: tasks.filter((task) => passed.every((names) => names.has(task))),
  };
}

const graded = (rows: readonly Row[], tasks: readonly string[], reward: number): Row[] =>
  rows.map((row) => (tasks.includes(taskKey(row)) ? { ...row, reward } : row));
const ofKind = (rows: readonly Row[], tasks: readonly string[]): Row[] =>
  rows.map((row) => ({ ...row, kind: tasks.includes(taskKey(row)) ? "cancel" : "other" }));

test.skipIf(!isHere).each([
  // what the after side is, flags, exit code, first line, what the text says further down
  ["trials 2 and 3", ({ before, after }: Halves) => [before, after], [], 0, "NO DIFFERENCE", "underpowered"],
  [
    "the same, and it has to move",
    ({ before, after }: Halves) => [before, after],
    ["--require", "moved"],
    1,
    "NO DIFFERENCE",
    "",
  ],
  [
    "fifteen failing tasks turned to passes",
    ({ before, after, failing }: Halves) => [before, graded(after, failing.slice(0, 15), 1)],
    ["--require", "moved"],
    0,
    "PASS",
    "unreplicated",
  ],
  [
    "all failing tasks fixed, eight of one kind broken",
    ({ before, after, failing, passing }: Halves) => {
      const broken = passing.slice(0, 8);
      return [ofKind(before, broken), ofKind(graded(graded(after, failing, 1), broken, 0), broken)];
    },
    ["--by", "kind"],
    0,
    "PASS",
    "the group cancel of kind fell",
  ],
  [
    "half of the tasks under other names",
    ({ before, after, failing, passing }: Halves) => {
      const renamed = [...failing, ...passing].slice(0, 25);
      return [
        before,
        after.map((row) => (renamed.includes(taskKey(row)) ? { ...row, scenario_id: `new ${taskKey(row)}` } : row)),
      ];
    },
    [],
    2,
    "NOT COMPARABLE (situations)",
    "two sets of situations",
  ],
] as const)(`tau-bench, %s: wai delta${reason}`, async (_, sides, flags, code, line, said) => {
  const path = folder();
  const [before, after] = sides(await halves()) as [Row[], Row[]];
  const files = [written(path("before.jsonl"), before), written(path("after.jsonl"), after)];
  const page = path("delta.html");
  const outcome = await wai(["delta", ...files, "--target", "pass_at_1", "--html", page, ...flags]);
  expect({ code: outcome.code, line: outcome.stdout.split("\n")[0] }).toEqual({ code, line });
  // The page gives each warning its code, the text its sentence.
  const html = readFileSync(page, "utf8");
  expect(html).toContain(`>${line}</h1>`);
  expect(outcome.stdout + html).toContain(said);
});
