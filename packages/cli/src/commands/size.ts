import {
  formatHoldoutSize,
  formatResolvableEffect,
  type HoldoutSizeOptions,
  holdoutSize,
  PROVE_EFFECT,
  resolvableEffect,
} from "@while/stats";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { anyNumber, share, wholeNumber } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface SizeFlags {
  tasks?: number;
  before?: string;
  after?: string;
  effect?: number;
  base?: number;
  k?: number;
  power?: number;
  alpha?: number;
  taskStd?: number;
  guards?: number;
}

export const sizeVerb: Verb<SizeFlags> = {
  name: "size",
  chapter: "measure",
  summary: "how many tasks a gain takes to prove",
  files: "by flag",
  flags: [
    { spec: "--effect <gain>", about: `the gain to prove, 0.05 for five points (${PROVE_EFFECT})`, read: share },
    { spec: "--tasks <n>", about: "instead: the smallest gain that so many tasks show", read: wholeNumber },
    { spec: "--before <file>", about: "rows of the agent as it is: base, k and spread are measured" },
    { spec: "--after <file>", about: "rows of a change, on the same tasks: the spread between both" },
    { spec: "--base <rate>", about: "pass rate before, where no file has it (0.6)", read: share },
    { spec: "--k <n>", about: "rollouts a task, where no file has them (4)", read: wholeNumber },
    { spec: "--power <share>", about: "chance to see the gain (0.8)", read: share },
    { spec: "--alpha <share>", about: "chance to see one that is not there (0.05)", read: share },
    { spec: "--guards <n>", about: "and for a drop as large of any of n guards (0)", read: wholeNumber },
    { spec: "--task-std <x>", about: "std of a task's difference, if known", read: anyNumber },
  ],
  examples: [
    { line: "wai size --tasks 140", about: "what a set of 140 tasks can show, by a model" },
    { line: "wai size --before before.jsonl --after after.jsonl", about: "from rows of both arms on the same tasks" },
  ],
  exits: [
    [EXIT.holds, "the number of tasks, or the gain"],
    [EXIT.cannotTell, "the base or the rows are too near the ceiling, or no gain fits"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { tasks, effect, before, after, ...given } = call.flags;
    if (tasks !== undefined && effect !== undefined) {
      throw new CliError("bad_flag", "size got --tasks and --effect.", "Give one; the answer is the other.");
    }
    if (tasks !== undefined && given.guards !== undefined) {
      throw new CliError("bad_flag", "size got --tasks and --guards.", "Give --guards with --effect.");
    }
    const rowsOf = async (file: string) => (await readAll({ ...call, files: [file] })).rows;
    const options: HoldoutSizeOptions = {
      ...given,
      ...(before === undefined ? {} : { before: await rowsOf(before) }),
      ...(after === undefined ? {} : { after: await rowsOf(after) }),
    };
    if (tasks !== undefined) {
      const report = resolvableEffect(tasks, options);
      print(call, report, formatResolvableEffect);
      return report.saturated || report.effect === null ? EXIT.cannotTell : EXIT.holds;
    }
    const report = holdoutSize(effect ?? PROVE_EFFECT, options);
    print(call, report, formatHoldoutSize);
    return report.saturated ? EXIT.cannotTell : EXIT.holds;
  },
};
