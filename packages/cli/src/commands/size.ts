import { formatHoldoutSize, holdoutSize, PROVE_EFFECT } from "@while/stats";
import { EXIT } from "../exit-code.ts";
import { anyNumber, share, wholeNumber } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface SizeFlags {
  before?: string;
  after?: string;
  effect?: number;
  base?: number;
  k?: number;
  power?: number;
  alpha?: number;
  taskStd?: number;
}

export const sizeVerb: Verb<SizeFlags> = {
  name: "size",
  chapter: "measure",
  summary: "how many tasks a gain takes to prove",
  files: "by flag",
  flags: [
    { spec: "--effect <gain>", about: `the gain to prove, 0.05 for five points (${PROVE_EFFECT})`, read: share },
    { spec: "--before <file>", about: "rows of the agent as it is: base, k and spread are measured" },
    { spec: "--after <file>", about: "rows of a change, on the same tasks: the spread between both" },
    { spec: "--base <rate>", about: "pass rate before, where no file has it (0.6)", read: share },
    { spec: "--k <n>", about: "rollouts a task, where no file has them (4)", read: wholeNumber },
    { spec: "--power <share>", about: "chance to see the gain (0.8)", read: share },
    { spec: "--alpha <share>", about: "chance to see one that is not there (0.05)", read: share },
    { spec: "--task-std <x>", about: "std of a task's difference, if known", read: anyNumber },
  ],
  examples: [
    { line: "wai size --effect 0.05", about: "by a model, before anything is measured" },
    { line: "wai size --before before.jsonl --after after.jsonl", about: "from rows of both arms on the same tasks" },
  ],
  exits: [
    [EXIT.holds, "the number of tasks"],
    [EXIT.cannotTell, "the rows are too near the ceiling to size a set"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { effect = PROVE_EFFECT, before, after, ...options } = call.flags;
    const rowsOf = async (file: string) => (await readAll({ ...call, files: [file] })).rows;
    const report = holdoutSize(effect, {
      ...options,
      ...(before === undefined ? {} : { before: await rowsOf(before) }),
      ...(after === undefined ? {} : { after: await rowsOf(after) }),
    });
    print(call, report, formatHoldoutSize);
    return report.saturated ? EXIT.cannotTell : EXIT.holds;
  },
};
