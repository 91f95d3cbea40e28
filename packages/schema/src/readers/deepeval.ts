import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { Items } from "../json/document-items.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import { chatRow, isMessages } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { type LoggedCall, loggedRow } from "./logged-row.ts";
import { ScoreChoice } from "./score-choice.ts";
import { ItemMean, MEAN_REWARD, type ToolHeadline, toolHeadline } from "./tool-headline.ts";
import { TrialTally } from "./trial-tally.ts";

/**
 * Test runs of DeepEval: a document of test cases, or one a record; single answers and conversations. A task is an input,
 * or a scenario.
 *
 * The reward is whether the case passed, which DeepEval says when every metric reached its threshold, or with `rewardKey`
 * the score of one metric. Scores are markers. A case whose metric itself failed is ungraded. What was expected, and
 * logs of the metrics, which quote it, go under `privileged`.
 */
export const deepEval: Format = {
  name: "deepeval",
  title: "a test run of DeepEval",
  detect: (record) => casesOf(record) !== null || isCase(record),
  open: (context) => new DeepEvalReader(context),
};

function isCase(value: unknown): value is SourceObject {
  if (!isObject(value) || !("metricsData" in value)) return false;
  return "actualOutput" in value || (Array.isArray(value.turns) && "success" in value);
}

/** The test cases of a run and what else it says; null for a record that is no run. */
function casesOf(record: SourceObject): { cases: unknown[]; run: SourceObject } | null {
  const { testRunData, ...beside } = record;
  const { testCases, conversationalTestCases, ...run } = isObject(testRunData) ? { ...testRunData, ...beside } : record;
  const single = Array.isArray(testCases) ? testCases : [];
  const conversations = Array.isArray(conversationalTestCases) ? conversationalTestCases : [];
  const cases = [...single, ...conversations];
  return cases.some(isCase) ? { cases, run } : null;
}

class DeepEvalReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #tally = new TrialTally();
  readonly #choice: ScoreChoice;
  readonly #cases = new ItemMean();
  /** Of the documents that say how many cases passed. */
  readonly #counted = { passed: 0, failed: 0, runs: 0 };

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#choice = new ScoreChoice(context);
  }

  read(record: SourceObject): readonly Row[] {
    const found = casesOf(record);
    return found === null ? this.#rows(record, {}) : [...this.#rowsOfRun(found.run, found.cases)].flat();
  }

  *readItems(document: SourceObject, items: Items): Generator<readonly Row[]> {
    yield* this.#rowsOfRun(casesOf(document)?.run ?? {}, items);
  }

  *#rowsOfRun(run: SourceObject, cases: Iterable<unknown>): Generator<readonly Row[]> {
    this.#context.addMeta({ deepeval: run });
    const passed = labelOf(run.testPassed);
    const failed = labelOf(run.testFailed);
    if (passed !== null && failed !== null) {
      this.#counted.runs++;
      this.#counted.passed += passed;
      this.#counted.failed += failed;
    }
    let index = -1;
    for (const one of cases) {
      index++;
      try {
        if (!isCase(one)) throw new SchemaError("bad_value", "It has no metricsData.", "Save the test run again.");
        yield this.#rows(one, run);
      } catch (error) {
        if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
        this.#context.refuse(`test case ${index}: ${error.what}`, error.fix);
      }
    }
  }

  end(): void {
    this.#choice.end();
    this.#tally.say(this.#context, { ended: "a failed metric", tool: "DeepEval", counts: "0 for each" });
  }

  /** The pass rate of the cases; with a metric chosen, the average of its scores. */
  headlines(): ToolHeadline[] {
    const { passed, failed, runs } = this.#counted;
    const n = passed + failed;
    const isCase = this.#context.options.rewardKey === undefined;
    const rate = toolHeadline({
      name: "pass rate",
      how: "the cases that passed among all, a case whose metric failed being no pass",
      written: runs > 0 && n > 0 ? passed / n : null,
      fromItems: this.#cases.mean,
      rule: isCase ? { ...MEAN_REWARD, counts: "pass", lost: "counted" } : null,
      n: runs > 0 ? n : null,
    });
    const averages = isCase ? [] : this.#choice.headlines((name) => `average ${name}`);
    return [...(rate === null ? [] : [rate]), ...averages];
  }

  #rows(one: SourceObject, run: SourceObject): Row[] {
    const { input, actualOutput, turns, toolsCalled, success, metricsData, tags, metadata, ...more } = one;
    const { expectedOutput, expectedOutcome, expectedTools, context, expectations, ...others } = more;
    const { scenario, userDescription, ...rest } = others;
    const metrics = Array.isArray(metricsData) ? metricsData.filter(isObject) : [];
    this.#cases.add(success === true ? 1 : 0);
    const verdict = this.#verdict(success, metrics);
    if (verdict.judge_status === "error" && !this.#tally.lose(this.#context, 0)) return [];

    const chat = turns === undefined ? null : messagesOfTurns(turns);
    const trace = { input, output: actualOutput, calls: callsOf(toolsCalled), lastGeneration: null };
    const told = chat === null ? loggedRow(trace, "deepeval", this.#context) : chatRow(chat, "deepeval", this.#context);
    const asked = chat === null ? input : (scenario ?? chat.find(({ role }) => role === "user")?.content);
    const task = `deepeval/${shortHash(pyJson(asked ?? null, { sortKeys: true }))}`;
    const index = this.#context.nextIndex(task);
    const hidden = defined({ context, expectedTools, expectations, scenario, userDescription });
    const logs = metrics.flatMap(({ name, verboseLogs }) => (isGiven(verboseLogs) ? [{ name, verboseLogs }] : []));
    const reference = expectedOutput ?? expectedOutcome;
    const privileged = {
      ...(isGiven(reference) ? { reference: textOf(reference) } : {}),
      ...(Object.keys(hidden).length > 0 ? { hidden_state: hidden } : {}),
      ...(logs.length > 0 ? { rubric: logs } : {}),
    };
    const model = isObject(run.hyperparameters) ? run.hyperparameters.model : undefined;
    const row: Row = {
      scenario_id: task,
      rollout_id: shortHash("deepeval", this.#context.file ?? "", task, index, pyJson(one)),
      rollout_index: index,
      ...told,
      ...(typeof model === "string" ? { model_version: model } : {}),
      ...verdict,
      ...(Object.keys(privileged).length > 0 ? { privileged } : {}),
      ...defined({ tags, metadata }),
      deepeval: defined({
        ...rest,
        success,
        toolsCalled,
        input: input === told.prompt ? undefined : input,
      }),
    };
    row.lineage = { ...row.lineage, source: this.#context.options.source ?? "eval" };
    return [row];
  }

  #verdict(success: unknown, metrics: readonly SourceObject[]): Partial<Row> {
    const { options } = this.#context;
    const scores = new Map(metrics.map(({ name, score }) => [textOf(name), labelOf(score)]));
    const markers = [...scores].filter(([, score]) => score !== null);
    const checks = metrics.map(({ verboseLogs: _, ...check }) => check);
    const shown = { ...(markers.length > 0 ? { markers: Object.fromEntries(markers) } : {}), judge_meta: { checks } };
    const failed = metrics.filter((metric) => isGiven(metric.error) && metric.flaky !== true);
    if (options.rewardKey === undefined) {
      const reasons = metrics.filter((metric) => metric.success === false && isGiven(metric.reason));
      const reason = reasons.map((metric) => textOf(metric.reason)).join("\n");
      const said = { ...shown, judge_name: "deepeval", ...(reason === "" ? {} : { reason }) };
      if (failed.length > 0) return { ...said, reward: null, judge_status: "error" };
      const reward = labelOf(success);
      this.#tally.add(reward);
      return { ...said, reward };
    }
    const verdict = this.#choice.verdict(scores);
    const name = verdict.judge_name;
    if (name === undefined) {
      const wanted = typeof options.rewardKey === "string" ? [options.rewardKey] : options.rewardKey;
      const isBroken = failed.some((metric) => wanted.includes(textOf(metric.name)));
      if (!isBroken) this.#tally.add(null);
      return { ...shown, reward: null, ...(isBroken ? { judge_status: "error" } : {}) };
    }
    this.#tally.add(verdict.reward ?? null);
    const { reason } = metrics.find((metric) => metric.name === name) ?? {};
    return {
      ...{ ...shown, ...verdict, judge_meta: { checks, ...verdict.judge_meta } },
      ...(isGiven(reason) ? { reason: textOf(reason) } : {}),
    };
  }
}

function callsOf(tools: unknown): LoggedCall[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isObject).map(({ name, inputParameters, output }) => ({
    name: textOf(name) || "unknown",
    arguments: inputParameters ?? {},
    result: output === null ? undefined : output,
    error: null,
  }));
}

/** Turns as messages; tools that were called in a turn come before what was said in it. */
function messagesOfTurns(turns: unknown): readonly Message[] {
  if (!isMessages(turns)) {
    throw new SchemaError("bad_value", "turns is no list of turns with a role.", "Save the test run again.");
  }
  return turns.flatMap(({ toolsCalled, ...turn }) => {
    const calls = callsOf(toolsCalled).flatMap(({ name, arguments: given, result }, index): Message[] => {
      const call = { type: "function", function: { name, arguments: given }, item: (toolsCalled as unknown[])[index] };
      const asked: Message = { role: "assistant", content: "", tool_calls: [call] };
      return result === undefined ? [asked] : [asked, { role: "tool", name, content: result }];
    });
    return [...calls, turn];
  });
}

function defined(object: SourceObject): SourceObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
