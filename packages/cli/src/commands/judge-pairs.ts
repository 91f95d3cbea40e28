import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Row } from "@while/schema";
import { readJsonl } from "@while/schema/files";
import {
  formatPairs,
  type JudgePairsOptions,
  judgePairs,
  type PairJudge,
  type PairsReport,
  pairsOf,
  pairwiseJudge,
} from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { positive, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefault } from "../io/import-default.ts";
import { onInterrupt } from "../io/on-interrupt.ts";
import { refuseOverwrite, reportSink, writeRows } from "../io/row-output.ts";
import { modelNamed } from "../model-flags.ts";
import { print } from "../print.ts";
import { progressOf } from "../progress.ts";
import type { Call, Verb } from "../verb.ts";

interface JudgePairsFlags {
  judge?: string;
  model?: string;
  prompt?: string;
  maxTokens?: number;
  /** false for `--no-swap`. */
  swap?: boolean;
  judgeName?: string;
  concurrency?: number;
  timeout?: number;
  retries?: number;
}

export const judgePairsVerb: Verb<JudgePairsFlags> = {
  name: "judge-pairs",
  chapter: "trust",
  summary: "which of two replies is better, asked in both orders",
  names: { usage: "PAIRS", least: 1, most: 1 },
  flags: [
    { spec: "--judge <module>", about: "ES module, default export (a, b) => ({ winner: A, B or tie })" },
    { spec: "--model <model>", about: "openai:NAME, or a module that exports a model" },
    { spec: "--prompt <file>", about: "with --model: what it is told, in place of our words" },
    { spec: "--max-tokens <n>", about: "with --model: of its answer (200)", read: wholeNumber },
    { spec: "--no-swap", about: "ask in one order: a judge that likes the first reply is not seen through" },
    { spec: "--judge-name <name>", about: "its name on the pairs, where it does not say it" },
    { spec: "--concurrency <n>", about: "pairs at once, 32 at most (8)", read: wholeNumber },
    { spec: "--timeout <seconds>", about: "for one call (of a model: 120)", read: positive },
    { spec: "--retries <n>", about: "after failures that pass (of a model: 3)", read: zeroOrMore },
  ],
  output: { spec: "-o, --output <file>", about: "the pairs with what the judge said (pairwise, tie), - stdout" },
  examples: [
    {
      line: "wai judge-pairs pairs.jsonl --model openai:gpt-4o-mini",
      about: "does a second judge agree with the scores?",
    },
    {
      line: "wai judge-pairs pairs.jsonl --judge j.mjs -o judged.jsonl",
      about: "pairs for wai export-pairs, ties marked",
    },
  ],
  exits: [
    [EXIT.holds, "the judge bears the pairs out, in either order"],
    [EXIT.doesNotHold, "it prefers what was rejected, the reply shown first, or the longer one"],
    [EXIT.cannotTell, "no pair was judged, or over 5% were not"],
    [EXIT.failed, "the command failed: a flag, a module or a file"],
  ],
  async run(call) {
    const judge = await judgeOf(call);
    const [file] = call.names as [string];
    if (call.output !== undefined) await refuseOverwrite([file], call.output, { sidecar: false });
    const { rows } = await readJsonl(file);
    const pairs = pairsOf(rows, { file });
    const progress = progressOf(call.verb, call.io, call.common);
    const calls = { made: 0, all: pairs.length * (call.flags.swap === false ? 1 : 2) };
    const counted: PairJudge = async (...asked) => {
      try {
        return await judge(...asked);
      } finally {
        calls.made++;
        progress.show({ rows: calls.made, bytes: calls.made, totalBytes: calls.all });
      }
    };
    const { pairs: judged, report } = await onInterrupt(
      () =>
        judgePairs(pairs, Object.assign(counted, { judgeName: judge.judgeName ?? judge.name }), optionsOf(call.flags)),
      progress.clear,
    ).finally(progress.clear);
    if (call.output !== undefined) {
      // Both sides go out as they came in.
      const stamped = judged.map(({ pairwise, tie }, i): Row => ({ ...(rows[i] as Row), pairwise, tie }));
      await writeRows(call.output, stamped);
    }
    print(call, report, formatPairs, { to: reportSink(call) });
    return exitCodeOf(report);
  },
};

const MODEL_TIMEOUT_S = 120;
const MODEL_RETRIES = 3;

async function judgeOf({ flags, io }: Call<JudgePairsFlags>): Promise<PairJudge> {
  const { judge, model, prompt, maxTokens } = flags;
  if ((judge === undefined) === (model === undefined)) {
    const given = judge === undefined ? "no judge" : "--judge and --model";
    throw new CliError("bad_arguments", `wai judge-pairs was given ${given}.`, "Give one of --judge and --model.");
  }
  const loose = Object.entries({ prompt, "max-tokens": maxTokens }).find(([, value]) => value !== undefined);
  if (model === undefined) {
    if (loose !== undefined) {
      throw new CliError("bad_arguments", `--${loose[0]} is for a model.`, "Give --model with it, or leave it out.");
    }
    return importDefault<PairJudge>(judge!, "--judge", "a judge of pairs, (a, b) => ({ winner: A, B or tie })");
  }
  if (prompt !== undefined && !existsSync(prompt)) {
    throw new CliError("bad_flag", `--prompt names ${prompt}, and there is no such file.`, "Check the path.");
  }
  return pairwiseJudge(await modelNamed(model, io.env), {
    ...(prompt === undefined ? {} : { prompt: await readFile(prompt, "utf8") }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
}

function optionsOf({ swap, judgeName, concurrency, model, ...flags }: JudgePairsFlags): JudgePairsOptions {
  const timeout = flags.timeout ?? (model === undefined ? undefined : MODEL_TIMEOUT_S);
  const retries = flags.retries ?? (model === undefined ? undefined : MODEL_RETRIES);
  return {
    ...(swap === false ? { swap } : {}),
    ...(judgeName === undefined ? {} : { judgeName }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(retries === undefined ? {} : { retries }),
  };
}

function exitCodeOf({ nJudged, warnings }: PairsReport): ExitCode {
  if (nJudged === 0 || warnings.some(({ code }) => code === "pairs_missing")) return EXIT.cannotTell;
  return warnings.length > 0 ? EXIT.doesNotHold : EXIT.holds;
}
