import { fromMessages } from "../conversation/from-messages.ts";
import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { Items } from "../json/document-items.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, Sampling, ToolSchema } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { textOf } from "../text/text-of.ts";
import { apartFromRules, isMessages, lineageOf } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { namedMetric, numbersOf } from "./metrics.ts";
import { present } from "./present.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import { agentMessages, messagesOfTicks } from "./tau2-messages.ts";
import type { ToolHeadline } from "./tool-headline.ts";
import { TrialRates } from "./trial-rates.ts";
import { TrialTally } from "./trial-tally.ts";

/** The benchmark calls a reward within this distance of 1 a success. */
const SUCCESS_TOLERANCE = 1e-6;

/** How a simulation ends that the benchmark leaves out of its denominators. */
const NO_TRIAL: ReadonlySet<unknown> = new Set(["infrastructure_error", "context_window_exceeded"]);

/**
 * Results of tau2-bench (arXiv:2506.07982): one document with `info`, `tasks` and `simulations`. A simulation is a
 * rollout of `tau2/<domain>/<task>`; its reward is the benchmark's, or with `rewardKey` one of the parts, which are
 * markers. What the user was told and what the task expects is `privileged`.
 *
 * In telecom the user has tools too: those calls stay in `messages` and are no steps of the agent. Simulations that
 * ended in an infrastructure error or a full context are ungraded, as the benchmark has it.
 */
export const tau2: Format = {
  name: "tau2",
  title: "tau2-bench results",
  detect: (record) => isResults(record) || isSimulation(record),
  open: (context) => new Tau2Reader(context),
};

function isResults({ simulations, info, tasks }: SourceObject): boolean {
  return Array.isArray(simulations) || (isObject(info) && "environment_info" in info && tasks !== undefined);
}

/** A simulation in a file of its own; a row that was made of one has a prompt. */
function isSimulation(record: SourceObject): boolean {
  const keys = ["id", "task_id", "start_time", "termination_reason", "reward_info"];
  return keys.every((key) => key in record) && !("prompt" in record);
}

/** What all simulations of a document share. */
interface Tau2Run {
  domain: string;
  policy: string;
  conditions: Partial<Row>;
  tasks: ReadonlyMap<string, SourceObject>;
}

class Tau2Reader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #tally = new TrialTally();
  readonly #rates = new TrialRates();
  #nUserCalls = 0;
  /** The run whose simulations follow, each a record of its own. */
  #following: Tau2Run | null = null;
  #nSimulations = 0;

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    if (!isResults(record)) return this.#single(record);
    const { simulations } = record;
    return [...this.readItems(record, Array.isArray(simulations) ? simulations : [])].flat();
  }

  *readItems(record: SourceObject, items: Items): Generator<readonly Row[]> {
    const { simulations: _, tasks, info, simulation_index: __, ...about } = record;
    const run = this.#run(isObject(info) ? info : {}, Array.isArray(tasks) ? tasks : []);
    this.#addMeta(isObject(info) ? info : {}, about);
    this.#following = run;
    let at = -1;
    for (const simulation of items) {
      at++;
      this.#nSimulations++;
      try {
        if (!isObject(simulation))
          throw new SchemaError("bad_value", "It is not an object.", "Fetch the results again.");
        yield this.#rows(simulation, run);
      } catch (error) {
        if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
        this.#context.refuse(`simulations[${at}]: ${error.what}`, error.fix);
      }
    }
  }

  /** @throws SchemaError `bad_file` for results without simulations */
  end(): void {
    if (this.#following !== null && this.#nSimulations === 0) {
      throw new SchemaError(
        "bad_file",
        "The results hold no simulations.",
        "Give the folder of the run, with results.json and simulations/ in it.",
        { place: this.#context.file === null ? {} : { file: this.#context.file } },
      );
    }
    this.#tally.say(this.#context, { ended: "an infrastructure error", tool: "tau2-bench", counts: null });
    if (this.#nUserCalls === 0) return;
    const calls = this.#nUserCalls === 1 ? "1 tool call is" : `${this.#nUserCalls} tool calls are`;
    this.#context.warn("user_tool_calls", `${calls} the user's: they stand in messages and are no steps of the agent.`);
  }

  headlines(): ToolHeadline[] {
    const how = "over simulations with a reward, without those that ended in an infrastructure error or a full context";
    const headlines = this.#rates.headlines({ lost: "left_out", trials: "own", how });
    // With one of the parts as the reward of the rows, the benchmark's number is of something else.
    if (this.#context.options.rewardKey === undefined) return headlines;
    return headlines.map((headline) => ({ ...headline, rule: null }));
  }

  #single(simulation: SourceObject): readonly Row[] {
    this.#nSimulations++;
    const name = `The simulation ${cutCodePoints(textOf(simulation.id), 80)}`;
    if (this.#following === null) {
      throw new SchemaError(
        "bad_value",
        `${name} stands without its run, which names the domain and the models.`,
        "Give the folder of the run, with results.json and simulations/ in it.",
      );
    }
    try {
      return this.#rows(simulation, this.#following);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw new SchemaError(error.code, `${name}: ${error.what}`, error.fix);
    }
  }

  #run(info: SourceObject, tasks: readonly unknown[]): Tau2Run {
    const { environment_info: world, agent_info: agent, user_info: user } = info;
    const { domain_name: domain, policy } = isObject(world) ? world : {};
    const { llm, llm_args: settings, implementation } = isObject(agent) ? agent : {};
    const userModel = isObject(user) ? user.llm : undefined;
    const name = textOf(domain) || (this.#context.options.env ?? "");
    if (name === "") {
      this.#context.warn("unknown_env", "No domain is named, and domains share task ids. Pass env to keep them apart.");
    }
    const pairs = tasks.filter(isObject).map((task): [string, SourceObject] => [textOf(task.id), task]);
    return {
      domain: name || "unknown",
      policy: textOf(policy),
      tasks: new Map(pairs),
      conditions: {
        ...(typeof llm === "string" ? { model_version: llm } : {}),
        ...(typeof userModel === "string" ? { user_model: userModel } : {}),
        ...(isObject(settings) ? { sampling: settings as Sampling } : {}),
        ...(typeof implementation === "string" ? { harness: { label: implementation } } : {}),
      },
    };
  }

  #addMeta(info: SourceObject, about: SourceObject): void {
    const { environment_info: world, ...rest } = info;
    const { policy: _, tool_defs: tools, ...domain } = isObject(world) ? world : {};
    this.#context.addMeta({
      tau2: { ...about, info: { ...rest, environment_info: domain } },
      ...(Array.isArray(tools) ? { tools: tools.filter(isObject) as ToolSchema[] } : {}),
    });
  }

  #rows(simulation: SourceObject, run: Tau2Run): readonly Row[] {
    const { id, task_id: taskId, trial, reward_info: check, messages, ticks, policy, ...more } = simulation;
    const { review, user_only_review, hallucination_check, auth_classification, ...rest } = more;
    const { termination_reason: ended, seed } = simulation;
    const task = textOf(taskId);
    const scenario = `tau2/${run.domain}/${task}`;
    const flat = messagesOfTicks(ticks);
    const told = this.#told(messages ?? flat.messages, textOf(policy) || run.policy);
    const nth = this.#context.nextIndex(scenario);
    const row: Row = {
      scenario_id: scenario,
      rollout_id: textOf(id) || shortHash("tau2", this.#context.file ?? "", scenario, nth, JSON.stringify(simulation)),
      rollout_index: typeof trial === "number" ? trial : nth,
      ...told,
      lineage: lineageOf("tau2", this.#context, "eval"),
      ...run.conditions,
    };
    if (typeof seed === "number") row.seed = seed;
    if (typeof ended === "string") row.termination_reason = ended;
    const finish = finishReasonOf(ended);
    if (finish !== null) row.finish_reason = finish;
    const isLost = NO_TRIAL.has(ended);
    if (isLost && !this.#tally.lose(this.#context, null)) return [];
    const { breakdown, open, secret } = apart(check);
    if (!isLost && isObject(check) && typeof check.reward === "number") {
      this.#rates.add(task, trial ?? nth, check.reward, Math.abs(check.reward - 1) <= SUCCESS_TOLERANCE);
    }
    // Reviewers read the user's instructions too.
    Object.assign(secret, present({ review, user_only_review, hallucination_check, auth_classification }));
    if (Object.keys(breakdown).length > 0) row.markers = breakdown;
    Object.assign(row, isLost ? { reward: null, judge_status: "error" } : this.#verdict(check, breakdown));
    row.judge_name ??= "tau2-bench";
    const counted = isLost && isObject(check) ? { reward_counted: check.reward } : {};
    row.judge_meta = { scorer_kind: "rule", ...open, ...counted, ...row.judge_meta };
    const privileged = privilegedOf(run.tasks.get(task), secret);
    if (Object.keys(privileged).length > 0) row.privileged = privileged;
    row.tau2 = { task_id: taskId, trial, ...rest, ...(flat.rest === null ? {} : { ticks: flat.rest }) };
    return [row];
  }

  /** The conversation, of which the agent's part is told and everything is kept. */
  #told(messages: unknown, policy: string): Partial<Row> {
    const list = Array.isArray(messages) ? messages : [];
    if (list.length > 0 && !isMessages(list)) {
      throw new SchemaError("bad_value", "messages is no list of messages with a role.", "Fetch the results again.");
    }
    const { all, ofAgent, nUserCalls } = agentMessages(list as Message[]);
    this.#nUserCalls += nUserCalls;
    const { said, rules } = apartFromRules(all);
    const { prompt, opener, steps, final_text } = fromMessages(ofAgent);
    const system = rules.system_prompt ?? policy;
    return {
      prompt,
      steps,
      final_text,
      messages: [...said],
      ...(opener === "" ? {} : { opener }),
      ...rules,
      ...(system === "" ? {} : { system_prompt: system }),
      ...usageOf(all),
    };
  }

  #verdict(check: unknown, breakdown: Record<string, number>): Partial<Row> {
    const { options } = this.#context;
    const reward = isObject(check) ? check.reward : undefined;
    const isAsked = options.rewardKey !== undefined;
    const metric = isAsked ? namedMetric(breakdown, options) : null;
    const score = metric === null ? (isAsked || typeof reward !== "number" ? null : reward) : breakdown[metric]!;
    const kept = isAsked && reward !== undefined ? { file_reward: reward } : {};
    if (score === null) {
      this.#tally.add(null);
      return { reward: null, judge_meta: kept };
    }
    const verdict = scored(score, options);
    if (verdict.judge_status !== undefined) this.#context.warn("reward_out_of_range", outOfRangeWarning(score));
    this.#tally.add(verdict.reward);
    return {
      ...verdict,
      ...(metric === null ? {} : { judge_name: `tau2-bench/${metric}` }),
      judge_meta: { ...kept, ...verdict.judge_meta },
    };
  }
}

/** The benchmark's check: its parts as markers, how they were weighed, and what it compared with. */
function apart(check: unknown): { breakdown: Record<string, number>; open: SourceObject; secret: SourceObject } {
  if (!isObject(check)) return { breakdown: {}, open: {}, secret: {} };
  const { reward: _, reward_basis: basis, reward_breakdown: parts, ...secret } = check;
  const numbers = isObject(parts) ? numbersOf(parts) : {};
  return {
    breakdown: Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name.toLowerCase(), value])),
    open: {
      ...(basis === undefined ? {} : { reward_basis: basis }),
      ...(isObject(parts) ? { reward_breakdown: parts } : {}),
    },
    secret: present(secret),
  };
}

function privilegedOf(task: SourceObject | undefined, check: SourceObject): SourceObject {
  const privileged: SourceObject = {};
  if (task !== undefined) {
    const { id: _, evaluation_criteria: criteria, user_scenario: scenario, ...more } = task;
    if (criteria !== undefined && criteria !== null) privileged.reference = textOf(criteria);
    privileged.hidden_state = { user_scenario: scenario, ...more };
  }
  if (Object.keys(check).length > 0) privileged.rubric = check;
  return privileged;
}

function finishReasonOf(ended: unknown): string | null {
  if (ended === "max_steps" || ended === "context_window_exceeded") return "length";
  return typeof ended === "string" && ended.endsWith("error") ? "error" : null;
}

/** The tokens of the agent's turns. */
function usageOf(messages: readonly Message[]): Partial<Row> {
  let input = 0;
  let output = 0;
  let nTurns = 0;
  for (const { role, usage } of messages) {
    if (role !== "assistant" || !isObject(usage)) continue;
    const { prompt_tokens: asked, completion_tokens: said } = numbersOf(usage);
    input += asked ?? 0;
    output += said ?? 0;
    nTurns++;
  }
  return nTurns === 0 ? {} : { usage: { input_tokens: input, output_tokens: output } };
}
